//! The race test, per word and byte, and what a word's cell remembers afterwards.
//!
//! Source: PTX 8.7.1 (data race), with 8.7 (morally strong). Method: FastTrack's epochs, with a small set of
//! readers and of unordered atomic writers a word.
//! Departs: nothing in what counts as a race. May miss: see `shadow.rs` on dropped readers; at most four
//! unordered atomic writers a word are kept, the oldest three and the newest.

use super::collect::{Collector, RaceSides};
use super::finding::Race;
use super::record::{Rec, lanes};
use super::shadow::{Cell, Line, Slot};
use super::threads::{Threads, Which};
use crate::simt::{Access, Loaded};

const KEPT: usize = 3;

/// The values around a store: what memory holds and what will be written.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub stored: &'a Loaded,
    /// The byte at an address (of the access's space) before the store.
    pub old: &'a dyn Fn(u64) -> Option<u8>,
}

/// Judges one access of one warp.
pub(super) struct Judge<'a> {
    pub threads: &'a Threads,
    pub collector: &'a mut Collector,
    pub access: &'a Access<'a>,
    pub values: Option<Values<'a>>,
}

impl Judge<'_> {
    /// A read of some bytes of the word at `address`.
    pub fn read(&mut self, cell: &mut Cell, now: Rec, address: u64) {
        self.against_writes(cell, &now, address);
        self.remember_read(cell, now);
    }

    /// A write, or an atomic.
    pub fn write(&mut self, cell: &mut Cell, now: Rec, address: u64) {
        self.against_writes(cell, &now, address);
        if cell.read.present() {
            let read = cell.read;
            self.check(cell, &read, &now, address);
            if let Some(more) = &cell.more {
                for read in more.reads.clone() {
                    self.check(cell, &read, &now, address);
                }
            }
        }
        self.remember_write(cell, now);
    }

    /// A read by which a read-modify-write only read.
    fn against_writes(&mut self, cell: &Cell, now: &Rec, address: u64) {
        if cell.write.present() {
            self.check(cell, &cell.write, now, address);
        }
        if let Some(more) = &cell.more {
            for write in &more.writes {
                self.check(cell, write, now, address);
            }
        }
    }

    #[inline]
    fn check(&mut self, cell: &Cell, earlier: &Rec, now: &Rec, address: u64) {
        if self.collector.silent || earlier.bytes() & now.bytes() == 0 || earlier.morally_strong(now) {
            return;
        }
        let warp = u32::from(now.warp);
        if earlier.block == now.block && earlier.phase < self.threads.phase {
            return;
        }
        if self.threads.surely_ordered(earlier, warp, Which::Strict) {
            return;
        }
        if self.alike(cell, earlier, now) {
            let lane = now.mask.trailing_zeros();
            self.check_lane(cell, earlier, now, (lane, now.mask), address);
            return;
        }
        for lane in lanes(now.mask) {
            self.check_lane(cell, earlier, now, (lane, 1 << lane), address);
        }
    }

    /// What is true of `lane` is true of all of `mine`.
    fn check_lane(&mut self, cell: &Cell, earlier: &Rec, now: &Rec, (lane, mine): (u32, u32), address: u64) {
        let (unordered, strict_only) = self.threads.unordered_both(earlier, u32::from(now.warp), lane);
        if unordered != 0 && !self.observed(cell, earlier, now, lane, Which::Strict) {
            let strict_only = strict_only || self.observed(cell, earlier, now, lane, Which::Lenient);
            self.race(cell, earlier, unordered, now, mine, address, strict_only);
        }
    }

    /// Whether all lanes of `now` stand in the same relation to `earlier`: they know only what their block knows, and
    /// nothing here is their own warp's.
    fn alike(&self, cell: &Cell, earlier: &Rec, now: &Rec) -> bool {
        let elsewhere = |rec: &Rec| rec.block != now.block || rec.warp != now.warp;
        let more = cell.more.iter().flat_map(|more| &more.reads);
        self.threads.warp(u32::from(now.warp)).own & now.mask == 0
            && elsewhere(earlier)
            && more.chain([&cell.read, &cell.write]).all(elsewhere)
    }

    /// Whether something that happens before `now` has observed this strong write: then the write itself, though nothing
    /// else of its thread, comes before `now` (PTX 8.9.6, causality order: observation, then base causality). So the
    /// last block may put the ticket counter back with a plain store.
    #[cold]
    fn observed(&self, cell: &Cell, write: &Rec, now: &Rec, lane: u32, which: Which) -> bool {
        if !write.is_write() || !write.is_strong() {
            return false;
        }
        let newest = *write == cell.write;
        // An older write is observed by what reads the newest only through read-modify-writes.
        if !newest && !cell.write.is_atomic() {
            return false;
        }
        // Of the lanes that a record stands for, one is enough.
        let before = |rec: &Rec| self.threads.unordered(rec, u32::from(now.warp), lane, which) != rec.mask;
        let observes = |rec: &Rec| rec.present() && rec.morally_strong(write) && before(rec);
        let more = cell.more.iter().flat_map(|more| &more.reads);
        (!newest && observes(&cell.write)) || more.chain([&cell.read]).any(observes)
    }

    #[cold]
    #[expect(clippy::too_many_arguments, reason = "the two sides of a race, and where")]
    fn race(
        &mut self,
        cell: &Cell,
        earlier: &Rec,
        unordered: u32,
        now: &Rec,
        mine: u32,
        address: u64,
        strict_only: bool,
    ) {
        let lane = mine.trailing_zeros();
        let both_strong = earlier.is_strong() && now.is_strong();
        let race = Race {
            strict_only,
            same_value: self.same_value(earlier, unordered, now, lane, address),
            partial_overlap: both_strong && earlier.scopes_meet(now),
            scope_too_narrow: both_strong && !earlier.scopes_meet(now),
        };
        let touched = |block, warp: u16, mask: u32| {
            let by = |r: &Rec| r.present() && r.block == block && r.warp == warp && r.mask & mask != 0;
            by(&cell.read) || cell.more.as_ref().is_some_and(|m| m.reads.iter().any(by))
        };
        let update = (earlier.is_write() && touched(earlier.block, earlier.warp, unordered))
            || (now.is_write() && touched(now.block, now.warp, mine));
        self.collector.race(
            self.access,
            &RaceSides { earlier: *earlier, lanes: unordered, now: *now, mine, address, race, update },
        );
    }

    /// Both stored, and the same bytes.
    fn same_value(&self, earlier: &Rec, their_lanes: u32, now: &Rec, lane: u32, word: u64) -> bool {
        let Some(values) = &self.values else { return false };
        if !earlier.is_write() || earlier.is_atomic() || now.is_atomic() {
            return false;
        }
        let bytes = earlier.bytes() & now.bytes();
        let stored = |lane: u32, address: u64| {
            let offset = address.checked_sub(self.access.addresses[lane as usize])?;
            (offset < u64::from(self.access.bytes))
                .then(|| values.stored.bytes[lane as usize][offset as usize])
        };
        // Two lanes of this very store: memory does not hold the other one's value yet.
        let same_instruction = earlier.block == now.block
            && earlier.warp == now.warp
            && earlier.tick == now.tick
            && earlier.site == now.site;
        (0..4).filter(|b| bytes >> b & 1 != 0).all(|b| {
            let address = word + b;
            let mine = stored(lane, address);
            let theirs = if same_instruction {
                let other = their_lanes.trailing_zeros();
                (self.access.mask & their_lanes != 0).then(|| stored(other, address)).flatten()
            } else {
                None
            };
            mine.is_some() && mine == theirs.or_else(|| (values.old)(address))
        })
    }

    fn remember_read(&mut self, cell: &mut Cell, now: Rec) {
        if !cell.read.present() || self.replaces(&now, &cell.read) {
            cell.read = now;
            return;
        }
        if let Some(more) = &cell.more
            && let Some(i) = (0..more.reads.len()).find(|&i| self.replaces(&now, &more.reads[i]))
        {
            cell.more().reads[i] = now;
            return;
        }
        let kept_first = cell.read;
        let more = cell.more();
        if more.reads.len() < KEPT {
            more.reads.push(now);
            return;
        }
        // Full: a reader of a new block, or of a new warp, pushes out one that is not alone in its kind.
        let far = |a: &Rec, b: &Rec| if a.block != b.block { 2 } else { u8::from(a.warp != b.warp) };
        let novelty = more.reads.iter().chain([&kept_first]).map(|r| far(r, &now)).min().unwrap_or(0);
        if novelty > 0 {
            let last = more.reads.len() - 1;
            more.reads[last] = now;
        }
    }

    fn remember_write(&mut self, cell: &mut Cell, now: Rec) {
        let old = cell.write;
        let has_more = cell.more.as_ref().is_some_and(|m| !m.writes.is_empty() || !m.reads.is_empty());
        if cell.read.present() && self.replaces(&now, &cell.read) {
            cell.read = Rec::default();
        }
        if old.present() && !self.replaces(&now, &old) {
            let mut old = old;
            if !now.is_strong() {
                old.forget_bytes(now.bytes());
            }
            if old.bytes() != 0 {
                self.tidy(cell, &now);
                let writes = &mut cell.more().writes;
                if writes.len() > KEPT {
                    writes.pop();
                }
                writes.push(old);
            }
        } else if has_more {
            self.tidy(cell, &now);
        }
        cell.write = now;
        if !cell.read.present()
            && let Some(more) = &mut cell.more
            && let Some(read) = more.reads.pop()
        {
            cell.read = read;
        }
    }

    /// Drops what `now` stands for.
    fn tidy(&self, cell: &mut Cell, now: &Rec) {
        if let Some(more) = &mut cell.more {
            more.writes.retain(|w| {
                let replaced = self.replaces(now, w);
                if !replaced && !now.is_strong() {
                    w.forget_bytes(now.bytes());
                }
                !replaced && w.bytes() != 0
            });
            more.reads.retain(|r| !self.replaces(now, r));
        }
    }

    /// Whether whatever is unordered with `earlier` is unordered with `now` too, so that `now` can stand for it.
    fn replaces(&self, now: &Rec, earlier: &Rec) -> bool {
        if !now.subsumes(earlier) {
            return false;
        }
        if now.same_threads(earlier) || (earlier.block == now.block && earlier.phase < self.threads.phase) {
            return true;
        }
        let warp = u32::from(now.warp);
        if now.mask.count_ones() == 1 {
            let lane = now.mask.trailing_zeros();
            return self.threads.unordered(earlier, warp, lane, Which::Strict) == 0;
        }
        self.threads.surely_ordered(earlier, warp, Which::Strict)
    }

    /// A whole warp's read of consecutive words; `false` when the words must be taken one by one.
    pub fn read_line(&mut self, line: &mut Line, now: Slot) -> bool {
        if line.is_by_word() || !self.in_order(&line.write, &now) {
            return false;
        }
        let replaces = |slot: &Slot| {
            slot.words & !now.words == 0
                && now.rec.subsumes(&slot.rec)
                && (slot.in_step(&now) || self.ordered(slot, &now))
        };
        if let Some(slot) = line.reads.iter_mut().find(|s| s.words == 0 || replaces(s)) {
            *slot = now;
            return true;
        }
        // Both taken by others: keep two of different blocks, else of different warps.
        let covered = line.reads[0].words & line.reads[1].words;
        if now.words & !covered != 0 {
            return false;
        }
        let [a, b] = &line.reads;
        if a.rec.block == b.rec.block
            && (now.rec.block != a.rec.block || (a.rec.warp == b.rec.warp && now.rec.warp != a.rec.warp))
        {
            line.reads[1] = now;
        }
        true
    }

    /// A whole warp's plain store to consecutive words.
    pub fn write_line(&mut self, line: &mut Line, now: Slot) -> bool {
        if line.is_by_word()
            || !self.in_order(&line.write, &now)
            || line.write.words & !now.words != 0
            || !line.reads.iter().all(|r| self.in_order(r, &now))
        {
            return false;
        }
        for slot in &mut line.reads {
            if slot.words & !now.words == 0 && now.rec.subsumes(&slot.rec) {
                *slot = Slot::default();
            }
        }
        line.write = now;
        true
    }

    /// No conflict between the two, as far as can be seen at once.
    fn in_order(&self, earlier: &Slot, now: &Slot) -> bool {
        earlier.words & now.words == 0 || earlier.in_step(now) || self.ordered(earlier, now)
    }

    fn ordered(&self, earlier: &Slot, now: &Slot) -> bool {
        // The record's own mask is empty in a slot: ask for every lane.
        let rec = earlier.rec.at(u32::MAX, 0b1111);
        self.threads.surely_ordered(&rec, u32::from(now.rec.warp), Which::Strict)
    }
}
