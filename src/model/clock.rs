//! Knowledge of other threads' pasts, as a persistent map from blocks.
//!
//! A happens-before clock (Lamport; FastTrack, Flanagan and Freund 2009) would hold one entry a thread. Here it
//! holds one a *block*: the barrier phase up to which all the block's threads are known, and a few marks for
//! single threads beyond that. The map is a 16-ary trie whose nodes are shared: acquiring a clock copies a
//! pointer, a chain of read-modify-writes adds one path a link, and joining two versions of one chain walks only
//! where they differ.

use std::sync::Arc;

use smallvec::SmallVec;

use super::record::Rec;

/// Lanes of one warp that are known up to (and with) a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub warp: u16,
    pub mask: u32,
    pub tick: u32,
    /// The phase in which the mark was made; a known later phase implies it.
    pub phase: u32,
}

/// What is known of one block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Known {
    /// Every access with an earlier phase is known.
    pub phase: u32,
    pub marks: SmallVec<[Mark; 1]>,
}

impl Known {
    /// The lanes of the record that are *not* known.
    pub fn unknown(&self, rec: &Rec) -> u32 {
        if rec.phase < self.phase {
            return 0;
        }
        let mut mask = rec.mask;
        for mark in &self.marks {
            if mark.warp == rec.warp && mark.tick >= rec.tick {
                mask &= !mark.mask;
            }
        }
        mask
    }

    fn covers(&self, other: &Known) -> bool {
        self.phase >= other.phase && other.marks.iter().all(|m| self.has(m))
    }

    fn has(&self, mark: &Mark) -> bool {
        mark.phase < self.phase
            || self
                .marks
                .iter()
                .any(|m| m.warp == mark.warp && m.tick >= mark.tick && mark.mask & !m.mask == 0)
    }

    fn learn_phase(&mut self, phase: u32) {
        if phase > self.phase {
            self.phase = phase;
            self.marks.retain(|m| m.phase >= phase);
        }
    }

    fn learn(&mut self, mark: Mark) {
        if mark.mask == 0 || self.has(&mark) {
            return;
        }
        self.marks.retain(|m| !(m.warp == mark.warp && m.tick <= mark.tick && m.mask & !mark.mask == 0));
        match self.marks.iter_mut().find(|m| m.warp == mark.warp && m.tick == mark.tick) {
            Some(same) => same.mask |= mark.mask,
            None => self.marks.push(mark),
        }
    }

    fn join(&mut self, other: &Known) {
        self.learn_phase(other.phase);
        for &mark in &other.marks {
            self.learn(mark);
        }
    }
}

const BITS: u32 = 4;
const FAN: usize = 1 << BITS;

#[derive(Debug, Clone)]
enum Node {
    Branch([Option<Arc<Node>>; FAN]),
    Leaf(Known),
}

/// A set of known pasts. Cloning copies a pointer.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    root: Option<Arc<Node>>,
    /// Levels of branches above the leaves.
    height: u32,
}

impl Clock {
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Whether both are the very same version; equal ones built apart may say no.
    pub fn same(&self, other: &Clock) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) && self.height == other.height,
            _ => false,
        }
    }

    pub fn get(&self, block: u32) -> Option<&Known> {
        if u64::from(block) >> (BITS * self.height) != 0 {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut level = self.height;
        loop {
            match &**node {
                Node::Leaf(known) => return Some(known),
                Node::Branch(children) => {
                    level -= 1;
                    node = children[index(block, level)].as_ref()?;
                }
            }
        }
    }

    /// The lanes of the record that are not known.
    pub fn unknown(&self, rec: &Rec) -> u32 {
        self.get(rec.block).map_or(rec.mask, |known| known.unknown(rec))
    }

    /// Adds that a block is known up to `phase`, and marks beyond it.
    pub fn learn(&mut self, block: u32, phase: u32, marks: &[Mark]) {
        while u64::from(block) >> (BITS * self.height) != 0 {
            self.lift();
        }
        let mut slot = &mut self.root;
        for level in (0..self.height).rev() {
            let node = slot.get_or_insert_with(|| Arc::new(Node::Branch(Default::default())));
            let Node::Branch(children) = Arc::make_mut(node) else {
                unreachable!("leaves are at level 0 only");
            };
            slot = &mut children[index(block, level)];
        }
        let node = slot.get_or_insert_with(|| Arc::new(Node::Leaf(Known::default())));
        let Node::Leaf(known) = Arc::make_mut(node) else {
            unreachable!("level 0 holds leaves only");
        };
        known.learn_phase(phase);
        for &mark in marks {
            known.learn(mark);
        }
    }

    /// Adds all that `other` knows. Whether that was anything new.
    pub fn join(&mut self, other: &Clock) -> bool {
        if other.is_empty() || self.same(other) {
            return false;
        }
        if self.is_empty() {
            *self = other.clone();
            return true;
        }
        let mut other = other.clone();
        while self.height < other.height {
            self.lift();
        }
        while other.height < self.height {
            other.lift();
        }
        let (Some(a), Some(b)) = (&self.root, &other.root) else {
            return false;
        };
        let joined = join(a, b);
        let changed = !Arc::ptr_eq(&joined, a);
        self.root = Some(joined);
        changed
    }

    /// Only what is known of one block.
    pub fn only(&self, block: u32) -> Clock {
        let mut clock = Clock::default();
        if let Some(known) = self.get(block) {
            clock.learn(block, known.phase, &known.marks);
        }
        clock
    }

    fn lift(&mut self) {
        self.height += 1;
        if let Some(root) = self.root.take() {
            let mut children: [Option<Arc<Node>>; FAN] = Default::default();
            children[0] = Some(root);
            self.root = Some(Arc::new(Node::Branch(children)));
        }
    }
}

fn index(block: u32, level: u32) -> usize {
    ((u64::from(block) >> (BITS * level)) as usize) & (FAN - 1)
}

fn join(a: &Arc<Node>, b: &Arc<Node>) -> Arc<Node> {
    if Arc::ptr_eq(a, b) {
        return Arc::clone(a);
    }
    match (&**a, &**b) {
        (Node::Leaf(x), Node::Leaf(y)) => {
            if x.covers(y) {
                Arc::clone(a)
            } else if y.covers(x) {
                Arc::clone(b)
            } else {
                let mut known = x.clone();
                known.join(y);
                Arc::new(Node::Leaf(known))
            }
        }
        (Node::Branch(x), Node::Branch(y)) => {
            let mut children: [Option<Arc<Node>>; FAN] = Default::default();
            let (mut all_a, mut all_b) = (true, true);
            for i in 0..FAN {
                children[i] = match (&x[i], &y[i]) {
                    (None, None) => None,
                    (Some(p), None) => {
                        all_b = false;
                        Some(Arc::clone(p))
                    }
                    (None, Some(q)) => {
                        all_a = false;
                        Some(Arc::clone(q))
                    }
                    (Some(p), Some(q)) => {
                        let joined = join(p, q);
                        all_a &= Arc::ptr_eq(&joined, p);
                        all_b &= Arc::ptr_eq(&joined, q);
                        Some(joined)
                    }
                };
            }
            if all_a {
                Arc::clone(a)
            } else if all_b {
                Arc::clone(b)
            } else {
                Arc::new(Node::Branch(children))
            }
        }
        _ => unreachable!("both tries have one height"),
    }
}

/// A lenient and a strict clock that travel together; mostly they are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Pair {
    pub lenient: Clock,
    pub strict: Clock,
}

impl Pair {
    pub fn is_empty(&self) -> bool {
        self.lenient.is_empty() && self.strict.is_empty()
    }

    pub fn join(&mut self, other: &Pair) -> bool {
        if self.lenient.same(&self.strict) && other.lenient.same(&other.strict) {
            let changed = self.lenient.join(&other.lenient);
            self.strict = self.lenient.clone();
            changed
        } else {
            let lenient = self.lenient.join(&other.lenient);
            let strict = self.strict.join(&other.strict);
            lenient | strict
        }
    }

    pub fn learn(&mut self, block: u32, phase: u32, marks: &[Mark]) {
        if self.lenient.same(&self.strict) {
            // One tree for both; the copy is dropped first, so that an unshared path is changed in place.
            self.strict = Clock::default();
            self.lenient.learn(block, phase, marks);
            self.strict = self.lenient.clone();
        } else {
            self.lenient.learn(block, phase, marks);
            self.strict.learn(block, phase, marks);
        }
    }

    pub fn only(&self, block: u32) -> Pair {
        Pair { lenient: self.lenient.only(block), strict: self.strict.only(block) }
    }
}
