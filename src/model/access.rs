//! One warp instruction's access, from the device's event to the cells it touches.
//!
//! Order of work: initialisation, race test and record, then (for strong accesses) what is observed and published,
//! then the trace. A weak access of a whole warp to consecutive words is judged a line at a time.

use super::checker::{Block, Checker};
use super::finding::{Action, Side, Step, Violation};
use super::footprint::*;
use super::judge::{Judge, Values};
use super::record::{Rec, lanes};
use super::shadow::{LINE, Shadow, Slot};
use super::sync::Patterns;
use super::trace::Entry;
use crate::record::Severity;
use crate::simt::{Access, AccessKind, AtomicForm, GlobalMemory, Loaded, Order, Shape, Space, WARP};

impl Checker {
    pub(super) fn judge_load(
        &mut self,
        access: &Access,
        memory: &GlobalMemory,
        shared: &[u8],
        loaded: &mut Loaded,
    ) {
        let rec = self.begin(access);
        self.check_written(access);
        if !rec.syncs() && !self.picker.is_on() && self.inputs.skips(access) {
            return;
        }
        self.record(access, &rec, None, access.mask);
        if rec.syncs() {
            self.strong_load(access, &rec);
        }
        if self.picker.is_on() {
            self.give_old_values(access, &rec, memory, shared, loaded);
        }
        self.end(access, &rec);
    }

    pub(super) fn judge_store(
        &mut self,
        access: &Access,
        memory: &GlobalMemory,
        shared: &[u8],
        stored: &Loaded,
    ) {
        let rec = self.begin(access);
        self.counters.stored(access.site);
        self.mark_written(access, access.mask);
        let old = |address: u64| old_byte(access.space, memory, shared, address);
        if self.picker.is_on() {
            self.keep_values(access, &rec, access.mask, &old, Some(stored));
        }
        self.record(access, &rec, Some(Values { stored, old: &old }), access.mask);
        if rec.syncs() {
            self.strong_store(access, &rec);
        }
        self.end(access, &rec);
    }

    pub(super) fn judge_atomic(&mut self, access: &Access, wrote: u32, lane_order: &[u8]) {
        let rec = self.begin(access);
        let read_only = access.mask & !wrote;
        // Before the records change: who wrote what these read.
        self.exchange(access, &rec, wrote, lane_order);
        if read_only != 0 {
            self.record(access, &rec.read_only(), None, read_only);
        }
        if wrote != 0 {
            self.mark_written(access, wrote);
            self.record(access, &rec, None, wrote);
        }
        self.end(access, &rec);
    }

    pub(super) fn begin(&mut self, access: &Access) -> Rec {
        self.collector.report.accesses += 1;
        self.uses.note(access);
        let volatile = self.options.volatile;
        let threads = &self.block(access.block).threads;
        Rec::of(access, threads.phase, threads.warp(access.warp).tick, volatile)
    }

    /// Strong accesses go into the block's trace, and the warp's time moves on, so that traces tell before from
    /// after.
    fn end(&mut self, access: &Access, rec: &Rec) {
        if !rec.syncs() {
            return;
        }
        let (acquire, release) = (acquires(access), releases(access));
        let scope = access.scope;
        let step = match access.kind {
            AccessKind::Atomic { reduction, .. } => Step::Atomic { scope, acquire, release, reduction },
            AccessKind::Load if rec.is_volatile() => Step::VolatileLoad,
            AccessKind::Load => Step::StrongLoad { scope, acquire },
            AccessKind::Store if rec.is_volatile() => Step::VolatileStore,
            AccessKind::Store => Step::StrongStore { scope, release },
        };
        let entry = Entry {
            step,
            site: access.site,
            warp: access.warp as u16,
            mask: access.mask,
            phase: rec.phase,
            tick: rec.tick,
            space: access.space,
            address: access.addresses[access.mask.trailing_zeros() as usize % WARP],
            bytes: access.bytes,
            number: 0,
        };
        self.trace(access.block, entry);
        self.block(access.block).threads.warps[access.warp as usize].tick += 1;
    }

    /// The race test, and the records that later accesses are tested against.
    pub(super) fn record(&mut self, access: &Access, rec: &Rec, values: Option<Values>, mask: u32) {
        let by_word = self.picker.is_on() || rec.syncs() || access.bytes != 4;
        let Checker { blocks, global, collector, inputs, .. } = self;
        let Some(block) = blocks.get_mut(access.block) else { return };
        let Block { threads, shared, .. } = block;
        let first = access.addresses[mask.trailing_zeros() as usize % WARP];
        let base = window_base(access.space, first);
        if access.space == Space::Global && access.kind != AccessKind::Load {
            inputs.written(first);
        }
        let shadow = shadow(global, shared, access.space, base);
        let mut judge = Judge { threads, collector, access, values };
        let mut mask = mask;
        if !by_word && let Some(first) = consecutive(access, base) {
            mask = by_line(&mut judge, shadow, rec, first, mask);
            if mask == 0 {
                return;
            }
        }
        let writes = access.kind != AccessKind::Load && rec.is_write();
        let together = access.shape == Shape::Uniform && (rec.is_atomic() || !writes);
        let each = |judge: &mut Judge, shadow: &mut Shadow, lanes: u32, address: u64| {
            words(address, access.bytes, |word, bytes| {
                let line = shadow.line(word - base);
                if access.space == Space::Shared {
                    line.enter_phase(rec.phase);
                }
                let cell = &mut line.cells()[((word - base) % LINE / 4) as usize];
                let now = rec.at(lanes, bytes);
                if writes {
                    if !rec.syncs()
                        && let Some(more) = &mut cell.more
                    {
                        // A weak store breaks the chain.
                        more.message = None;
                    }
                    judge.write(cell, now, word);
                } else {
                    judge.read(cell, now, word);
                }
            });
        };
        if together {
            let address = access.addresses[mask.trailing_zeros() as usize % WARP];
            each(&mut judge, shadow, mask, address);
            return;
        }
        let mut elsewhere = 0;
        for lane in lanes(mask) {
            let address = access.addresses[lane as usize];
            if window_base(access.space, address) == base {
                each(&mut judge, shadow, 1 << lane, address);
            } else {
                elsewhere |= 1 << lane;
            }
        }
        if elsewhere != 0 {
            self.record(access, rec, values, elsewhere);
        }
    }

    /// Strong loads observe.
    fn strong_load(&mut self, access: &Access, rec: &Rec) {
        let how = Patterns { acquire: acquires(access), release: false, lenient: false };
        let Checker { blocks, global, .. } = self;
        let Some(block) = blocks.get_mut(access.block) else { return };
        let Block { threads, shared, .. } = block;
        for lane in lanes(access.mask) {
            let address = access.addresses[lane as usize];
            let base = window_base(access.space, address);
            let cell = shadow(global, shared, access.space, base).cell((address - base) & !3);
            let Some(message) = cell.more.as_ref().and_then(|m| m.message.as_deref()) else { continue };
            let now = rec.at(1 << lane, byte_mask(address, access.element));
            threads.observe(&now, lane, &cell.write, Some(message), how);
        }
    }

    /// Strong stores publish.
    fn strong_store(&mut self, access: &Access, rec: &Rec) {
        let how = Patterns { acquire: false, release: releases(access), lenient: false };
        let Checker { blocks, global, .. } = self;
        let Some(block) = blocks.get_mut(access.block) else { return };
        let Block { threads, shared, .. } = block;
        let can = how.release || threads.has_releases(access.warp, access.mask);
        for lane in lanes(access.mask) {
            let address = access.addresses[lane as usize];
            let base = window_base(access.space, address);
            let shadow = shadow(global, shared, access.space, base);
            let offset = (address - base) & !3;
            let cell = if can { shadow.lasting_cell(offset) } else { shadow.cell(offset) };
            let now = rec.at(1 << lane, byte_mask(address, access.element));
            let message = if can { threads.publish(&now, lane, &cell.write, None, how) } else { None };
            if message.is_some() || cell.more.is_some() {
                cell.more().message = message;
            }
        }
    }

    /// Read-modify-writes observe what they read and publish with what they write, lane by lane.
    fn exchange(&mut self, access: &Access, rec: &Rec, wrote: u32, lane_order: &[u8]) {
        // A compare-and-swap takes a lock: the lenient clock makes no exception for it.
        let (returns, lenient) = match access.kind {
            AccessKind::Atomic { reduction, form } => (!reduction, form != AtomicForm::Compare),
            _ => (false, false),
        };
        let how = Patterns { acquire: acquires(access), release: releases(access), lenient };
        let Checker { blocks, global, updated, .. } = self;
        updated.clear();
        let Some(block) = blocks.get_mut(access.block) else { return };
        let Block { threads, shared, .. } = block;
        let can = how.release || threads.has_releases(access.warp, access.mask);
        if access.shape == Shape::Uniform && !can {
            let address = access.addresses[access.mask.trailing_zeros() as usize % WARP];
            let base = window_base(access.space, address);
            let cell = shadow(global, shared, access.space, base).cell((address - base) & !3);
            if cell.more.as_ref().is_none_or(|m| m.message.is_none()) {
                return;
            }
        }
        for &lane in lane_order {
            let lane = u32::from(lane);
            if access.mask >> lane & 1 == 0 {
                continue;
            }
            let address = access.addresses[lane as usize];
            let base = window_base(access.space, address);
            let shadow = shadow(global, shared, access.space, base);
            let offset = (address - base) & !3;
            let cell = if can { shadow.lasting_cell(offset) } else { shadow.cell(offset) };
            let chained = cell.more.as_ref().is_some_and(|m| m.message.is_some());
            if !chained && !can {
                continue;
            }
            let now = rec.at(1 << lane, byte_mask(address, access.element));
            // An earlier lane of this instruction may have written last; it did so with these very flags.
            let chained_here = updated.contains(&address);
            let writer = if chained_here || !cell.write.present() { now } else { cell.write };
            if returns && let Some(more) = &cell.more {
                threads.observe(&now, lane, &writer, more.message.as_deref(), how);
            }
            if wrote >> lane & 1 != 0 {
                let more = cell.more();
                let chain = more.message.take();
                more.message = threads.publish(&now, lane, &writer, chain, how);
                if !chained_here {
                    updated.push(address);
                }
            }
        }
    }

    /// Reads of bytes that nobody has written.
    pub(super) fn check_written(&mut self, access: &Access) {
        if matches!(access.kind, AccessKind::Atomic { form: AtomicForm::Replace, .. }) {
            return;
        }
        let mut missing: Option<(u32, u32)> = None;
        match access.space {
            Space::Shared => {
                let shared = &mut self.block(access.block).shared;
                by_written_line(access, access.mask, |line, bits, first| {
                    let unwritten = bits & !shared.line(line).written;
                    if unwritten != 0 && missing.is_none() {
                        // The first lane of this line whose bytes are among them.
                        let lane = lanes(access.mask & (u32::MAX << first)).find(|&lane| {
                            let (own_line, own) = line_bits(access, lane);
                            own_line / LINE == line / LINE && own & unwritten != 0
                        });
                        let lane = lane.unwrap_or(first);
                        let own = line_bits(access, lane).1 & unwritten;
                        missing = Some((lane, own.count_ones()));
                    }
                });
            }
            Space::Global => {
                if !self.tracks(access) {
                    return;
                }
                for lane in lanes(access.mask) {
                    let address = access.addresses[lane as usize];
                    let bytes = self.uninitialised.unwritten(address, u64::from(access.bytes));
                    if bytes > 0 {
                        missing = missing.or(Some((lane, bytes)));
                    }
                }
            }
        }
        let Some((lane, bytes)) = missing else { return };
        let place = self.collector.place(access.space, access.addresses[lane as usize], access.bytes);
        let side = Side {
            site: Some(access.site),
            block: access.block,
            thread: access.warp * 32 + lane,
            action: if access.kind == AccessKind::Load { Action::Read } else { Action::Atomic },
            place: Some(place),
            volatile: false,
            scope: None,
        };
        let address = access.addresses[lane as usize];
        let copies = &self.block(access.block).copies;
        let copying = access.space == Space::Shared && copies.cover(address, access.bytes);
        let violation = Violation::Uninitialised { bytes, copying };
        self.collector.other(violation, Severity::Error, side, None, Vec::new());
    }

    /// Whether initialisation is tracked of what a global access may touch.
    fn tracks(&self, access: &Access) -> bool {
        let first = access.addresses[access.mask.trailing_zeros() as usize % WARP];
        !self.uninitialised.is_empty()
            && (access.shape == Shape::Scattered || self.uninitialised.tracks(first))
    }

    pub(super) fn mark_written(&mut self, access: &Access, mask: u32) {
        match access.space {
            Space::Shared => {
                let shared = &mut self.block(access.block).shared;
                by_written_line(access, mask, |line, bits, _| shared.line(line).written |= bits);
            }
            Space::Global => {
                if !self.tracks(access) {
                    return;
                }
                for lane in lanes(mask) {
                    self.uninitialised.written(access.addresses[lane as usize], u64::from(access.bytes));
                }
            }
        }
    }
}

fn acquires(access: &Access) -> bool {
    let reduction = matches!(access.kind, AccessKind::Atomic { reduction: true, .. });
    matches!(access.order, Order::Acquire | Order::AcqRel) && !reduction
}

fn releases(access: &Access) -> bool {
    matches!(access.order, Order::Release | Order::AcqRel)
}

/// Judges whole lines at once where that is possible; the lanes that are left.
fn by_line(judge: &mut Judge, shadow: &mut Shadow, rec: &Rec, first: u64, mask: u32) -> u32 {
    let position = (first % LINE / 4) as u32;
    let mut left = 0;
    let parts = [
        (first, mask << position, position as i8),
        (first + LINE, if position == 0 { 0 } else { mask >> (32 - position) }, position as i8 - 32),
    ];
    for (offset, words, shift) in parts {
        if words == 0 {
            continue;
        }
        let line = shadow.line(offset);
        if judge.access.space == Space::Shared {
            line.enter_phase(rec.phase);
        }
        let now = Slot { rec: *rec, words, shift };
        let done = if rec.is_write() { judge.write_line(line, now) } else { judge.read_line(line, now) };
        if !done {
            let lanes = if shift >= 0 { words >> shift } else { words << (-i32::from(shift)) as u32 };
            left |= lanes;
        }
    }
    left & mask
}
