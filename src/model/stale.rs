//! Old values: what a racing read may return on the strictest GPU that the memory model allows.
//!
//! A read whose last write does not happen before it may return any earlier value of the word that is not
//! overwritten by a write that happens before the read (PTX 8.10, causality axiom), and no older one than the
//! thread has read or written there itself (coherence). A strong read that is morally strong with the newest
//! write returns the newest, and so does every atomic in scope: a subset of what PTX allows.
//!
//! Departs: a thread is given an old value of one word at most twice, so that a loop that waits for a plain
//! variable ends where hardware would end it. Values of several words of one access are chosen apart, except
//! that one element is never torn. After `fence.sc` (every `__threadfence` is one) two threads must not both read
//! around each other's writes; that is kept by remembering who has to come first (PTX 8.9.3, Fence-SC order),
//! for the threads that fenced themselves.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::options::Adversary;
use super::record::Rec;

/// Values kept a word.
const KEPT: usize = 16;
/// Old values that one thread is given of one word.
const STALE_READS: u8 = 2;
/// Threads of a word whose floors are looked for one by one.
const FEW: usize = 4;

/// A word's values in this launch, in order.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The value before the entries; of the launch's beginning while nothing has been dropped.
    base: [u8; 4],
    entries: VecDeque<(Rec, [u8; 4])>,
    dropped: u64,
    floors: Floors,
    /// For atomics whose scope is one block: each block's latest value of the location, and the first of all.
    by_block: FxHashMap<u32, u128>,
    first: Option<u128>,
}

impl History {
    /// Forgets everything: the word begins with `base`.
    pub fn begin(&mut self, base: [u8; 4]) {
        self.base = base;
        self.entries.clear();
        self.dropped = 0;
        self.floors.clear();
        self.by_block.clear();
        self.first = None;
    }

    /// A write is about to happen. `old` is the word before the instruction; `new` its bytes afterwards, or `old`
    /// again for an atomic, whose result is read from memory at the next access.
    /// `private` says that only one block can reach the word.
    pub fn push(&mut self, rec: Rec, old: [u8; 4], new: [u8; 4], private: bool) {
        let mut value = old;
        match self.entries.back() {
            // Another lane of the same instruction: memory does not show its bytes yet.
            Some((w, newest))
                if (w.block, w.warp, w.tick, w.site) == (rec.block, rec.warp, rec.tick, rec.site) =>
            {
                value = *newest;
            }
            // Shared words are one block's: what its last full barrier ordered, nobody can miss any more.
            Some((w, _)) if private && w.phase < rec.phase => {
                self.dropped += self.entries.len() as u64;
                self.entries.clear();
                self.floors.clear();
                self.base = old;
            }
            _ => self.correct_newest(old),
        }
        for (i, byte) in value.iter_mut().enumerate() {
            if rec.bytes() >> i & 1 != 0 {
                *byte = new[i];
            }
        }
        if self.entries.len() == KEPT
            && let Some((_, value)) = self.entries.pop_front()
        {
            self.base = value;
            self.dropped += 1;
        }
        self.entries.push_back((rec, value));
    }

    /// Memory as it is decides what the newest write stored.
    pub fn correct_newest(&mut self, value: [u8; 4]) {
        if let Some((_, newest)) = self.entries.back_mut() {
            *newest = value;
        }
    }

    /// The value that `rec` (a read by one lane) gets, when it is to be an older one than the newest.
    pub fn choose(
        &mut self,
        rec: &Rec,
        thread: u64,
        happens_before: impl Fn(&Rec) -> bool,
        mut may_skip: impl FnMut(&Rec) -> bool,
        pick: &mut Picker,
    ) -> Option<[u8; 4]> {
        let newest = self.dropped + self.entries.len() as u64;
        let mut lowest = self.dropped;
        for (i, (write, _)) in self.entries.iter().enumerate().rev() {
            if write.bytes() & rec.bytes() == 0 {
                continue;
            }
            let number = self.dropped + i as u64 + 1;
            if write.same_threads(rec) || happens_before(write) {
                lowest = number;
                break;
            }
            if number == newest && write.morally_strong(rec) {
                lowest = newest;
                break;
            }
        }
        let (floor, given) = self.floors.get(thread);
        lowest = lowest.max(floor);
        let mut chosen = newest;
        if lowest < newest && given < STALE_READS {
            let same_block = self.entries.back().is_some_and(|(w, _)| w.block == rec.block);
            chosen = pick.between(lowest, newest, same_block);
            let skipped = self.entries.iter().skip((chosen - self.dropped) as usize);
            if chosen < newest && !skipped.clone().all(|(w, _)| may_skip(w)) {
                chosen = newest;
            }
        }
        if chosen > self.dropped || chosen < newest {
            self.floors.set(thread, (chosen, given + u8::from(chosen < newest)));
        }
        if chosen == newest {
            None
        } else if chosen == self.dropped {
            Some(self.base)
        } else {
            self.entries.get((chosen - self.dropped - 1) as usize).map(|(_, v)| *v)
        }
    }

    /// Before an atomic of block scope: what the block that wrote last left, and the location's first value.
    pub fn before_narrow(&mut self, value: u128, last_writer: Option<u32>) {
        match last_writer {
            Some(block) => {
                self.by_block.insert(block, value);
                self.first.get_or_insert(value);
            }
            None => {
                self.first = Some(value);
            }
        }
    }

    /// What an atomic of block scope reads when another block's last write is out of its scope.
    pub fn narrow_value(&self, block: u32) -> Option<u128> {
        self.by_block.get(&block).copied().or(self.first)
    }
}

/// By thread, the newest value it has read and how many old ones it was given: mostly of a thread or two.
#[derive(Debug, Default)]
struct Floors {
    few: SmallVec<[(u64, (u64, u8)); FEW]>,
    many: FxHashMap<u64, (u64, u8)>,
}

impl Floors {
    fn get(&self, thread: u64) -> (u64, u8) {
        let few = self.few.iter().find(|(t, _)| *t == thread).map(|(_, floor)| *floor);
        few.or_else(|| self.many.get(&thread).copied()).unwrap_or_default()
    }

    fn set(&mut self, thread: u64, floor: (u64, u8)) {
        if let Some((_, own)) = self.few.iter_mut().find(|(t, _)| *t == thread) {
            *own = floor;
        } else if self.few.len() < FEW {
            self.few.push((thread, floor));
        } else {
            self.many.insert(thread, floor);
        }
    }

    fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }
}

/// Chooses among allowed values.
#[derive(Debug, Clone)]
pub(super) struct Picker {
    adversary: Adversary,
    state: u64,
}

impl Default for Picker {
    fn default() -> Self {
        Picker::new(Adversary::Off)
    }
}

impl Picker {
    pub fn new(adversary: Adversary) -> Picker {
        let seed = match adversary {
            Adversary::Random(seed) | Adversary::Mixed(seed) => seed,
            Adversary::Off | Adversary::Oldest => 0,
        };
        Picker { adversary, state: seed }
    }

    pub fn is_on(&self) -> bool {
        self.adversary != Adversary::Off
    }

    fn between(&mut self, oldest: u64, newest: u64, same_block: bool) -> u64 {
        match self.adversary {
            Adversary::Off => newest,
            Adversary::Oldest => oldest,
            Adversary::Random(_) => oldest + self.next() % (newest - oldest + 1),
            Adversary::Mixed(_) if same_block => oldest + self.next() % (newest - oldest + 1),
            Adversary::Mixed(_) => oldest,
        }
    }

    /// Whether an atomic out of scope misses the other block's writes.
    pub fn misses(&mut self) -> bool {
        match self.adversary {
            Adversary::Off => false,
            Adversary::Oldest | Adversary::Mixed(_) => true,
            Adversary::Random(_) => self.next() & 1 == 0,
        }
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Which thread's fences have to precede which other's, because of an old value that was given.
///
/// When a thread that has executed `fence.sc` reads around a write, its fence precedes, in Fence-SC order, every
/// fence that the writer executes after that write. The reverse is then no longer allowed, directly or through others.
#[derive(Debug, Default)]
pub(super) struct FenceOrders {
    /// Each thread's first `fence.sc`, in its warp's time.
    fenced: FxHashMap<u64, u32>,
    /// Writers that had fenced and were then read from, until the reader fences too.
    read_from: FxHashMap<u64, Vec<u64>>,
    after: FxHashMap<u64, Vec<u64>>,
}

impl FenceOrders {
    pub fn clear(&mut self) {
        self.fenced.clear();
        self.read_from.clear();
        self.after.clear();
    }

    /// `thread` executes `fence.sc`: the fences of those it has read from came first.
    pub fn fence(&mut self, thread: u64, tick: u32) {
        self.fenced.entry(thread).or_insert(tick);
        for writer in self.read_from.remove(&thread).into_iter().flatten() {
            self.add(writer, thread);
        }
    }

    pub fn has_fenced(&self, thread: u64) -> bool {
        self.fenced.contains_key(&thread)
    }

    /// `reader` got the value of a write that `writer` made at `tick`.
    pub fn reads_from(&mut self, reader: u64, writer: u64, tick: u32) {
        if self.fenced.get(&writer).is_some_and(|&first| first < tick) {
            let writers = self.read_from.entry(reader).or_default();
            if !writers.contains(&writer) {
                writers.push(writer);
            }
        }
    }

    /// `writer` overwrites what `reader` has read at `tick`.
    pub fn overwrites(&mut self, reader: u64, tick: u32, writer: u64) {
        if reader != writer && self.fenced.get(&reader).is_some_and(|&first| first < tick) {
            self.add(reader, writer);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.fenced.is_empty()
    }

    /// Whether `reader` may read around a write by `writer`; if so, that is from now on a fact.
    pub fn allow(&mut self, reader: u64, writer: u64) -> bool {
        if !self.has_fenced(reader) {
            return true;
        }
        if self.reaches(writer, reader) {
            return false;
        }
        self.add(reader, writer);
        true
    }

    fn add(&mut self, first: u64, second: u64) {
        let after = self.after.entry(first).or_default();
        if !after.contains(&second) {
            after.push(second);
        }
    }

    fn reaches(&self, from: u64, to: u64) -> bool {
        let mut seen = vec![from];
        let mut next = 0;
        while next < seen.len() {
            if seen[next] == to {
                return true;
            }
            for &thread in self.after.get(&seen[next]).into_iter().flatten() {
                if !seen.contains(&thread) {
                    seen.push(thread);
                }
            }
            next += 1;
        }
        false
    }
}
