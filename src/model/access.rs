//! One warp instruction's access, from the device's event to the cells it touches.
//!
//! Order of work: initialisation, race test and record, then (for strong accesses) what is observed and published,
//! then the trace. A weak access of a whole warp to consecutive words is judged a line at a time.

use super::checker::{Block, Checker, thread_number};
use super::collect::Collector;
use super::finding::{Action, Side, Step, Violation};
use super::judge::{Judge, Values};
use super::record::{Rec, lanes};
use super::shadow::{LINE, Shadow, Slot};
use super::stale::History;
use super::sync::Patterns;
use super::threads::{Threads, Which};
use super::trace::Entry;
use crate::record::Severity;
use crate::simt::{
    Access, AccessKind, AtomicForm, AtomicRead, GlobalMemory, Loaded, Order, Shape, Space, WARP,
};

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
        let Checker { blocks, global, collector, .. } = self;
        let Some(block) = blocks.get_mut(&access.block) else { return };
        let Block { threads, shared, .. } = &mut **block;
        let base = window_base(access.space, access.addresses[mask.trailing_zeros() as usize % WARP]);
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
        for lane in lanes(mask) {
            let address = access.addresses[lane as usize];
            if window_base(access.space, address) != base {
                continue;
            }
            each(&mut judge, shadow, 1 << lane, address);
        }
    }

    /// Strong loads observe.
    fn strong_load(&mut self, access: &Access, rec: &Rec) {
        let how = Patterns { acquire: acquires(access), release: false, lenient: false };
        let Checker { blocks, global, .. } = self;
        let Some(block) = blocks.get_mut(&access.block) else { return };
        let Block { threads, shared, .. } = &mut **block;
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
        let Some(block) = blocks.get_mut(&access.block) else { return };
        let Block { threads, shared, .. } = &mut **block;
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
        let Some(block) = blocks.get_mut(&access.block) else { return };
        let Block { threads, shared, .. } = &mut **block;
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
    fn check_written(&mut self, access: &Access) {
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
                if self.uninitialised.is_empty() {
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

    pub(super) fn mark_written(&mut self, access: &Access, mask: u32) {
        match access.space {
            Space::Shared => {
                let shared = &mut self.block(access.block).shared;
                by_written_line(access, mask, |line, bits, _| shared.line(line).written |= bits);
            }
            Space::Global => {
                if self.uninitialised.is_empty() {
                    return;
                }
                for lane in lanes(mask) {
                    self.uninitialised.written(access.addresses[lane as usize], u64::from(access.bytes));
                }
            }
        }
    }

    /// Remembers what words held, so that racing reads can be given it.
    fn keep_values(
        &mut self,
        access: &Access,
        rec: &Rec,
        mask: u32,
        old: &dyn Fn(u64) -> Option<u8>,
        stored: Option<&Loaded>,
    ) {
        let Checker { blocks, global, fence_orders, .. } = self;
        let Some(block) = blocks.get_mut(&access.block) else { return };
        let shared = &mut block.shared;
        // An atomic's lanes on one word are one entry: between them nobody else can read.
        let together = access.shape == Shape::Uniform && stored.is_none() && fence_orders.is_empty();
        for lane in lanes(if together { mask & mask.wrapping_neg() } else { mask }) {
            let address = access.addresses[lane as usize];
            let base = window_base(access.space, address);
            let shadow = shadow(global, shared, access.space, base);
            words(address, access.bytes, |word, bytes| {
                let before = std::array::from_fn(|i| old(word + i as u64).unwrap_or(0));
                let mut after = before;
                if let Some(stored) = stored {
                    for (i, byte) in after.iter_mut().enumerate() {
                        if bytes >> i & 1 != 0 {
                            *byte = stored.bytes[lane as usize][(word + i as u64 - address) as usize];
                        }
                    }
                }
                let cell = shadow.lasting_cell(word - base);
                if !fence_orders.is_empty() {
                    let writer = thread_number(access.block, access.warp, lane);
                    let more = cell.more.iter().flat_map(|m| m.reads.iter());
                    for read in more.chain([&cell.read]).filter(|r| r.present()) {
                        fence_orders.overwrites(number(read), read.tick, writer);
                    }
                }
                let history = &mut cell.more().history;
                history.get_or_insert_with(|| Box::new(History::starting_with(before))).push(
                    rec.at(if together { mask } else { 1 << lane }, bytes),
                    before,
                    after,
                    access.space == Space::Shared,
                );
            });
        }
    }

    /// The adversary's part of a load.
    fn give_old_values(
        &mut self,
        access: &Access,
        rec: &Rec,
        memory: &GlobalMemory,
        shared_bytes: &[u8],
        loaded: &mut Loaded,
    ) {
        let Checker { blocks, global, picker, fence_orders, .. } = self;
        let Some(block) = blocks.get_mut(&access.block) else { return };
        let Block { threads, shared, .. } = &mut **block;
        let threads: &Threads = threads;
        for lane in lanes(access.mask) {
            let address = access.addresses[lane as usize];
            let base = window_base(access.space, address);
            let shadow = shadow(global, shared, access.space, base);
            let reader = thread_number(access.block, access.warp, lane);
            // PTX counts volatile as strong; after the thread's own fence.sc it then gets the newest.
            if rec.is_volatile() && fence_orders.has_fenced(reader) {
                continue;
            }
            let mut torn = false;
            words(address, access.bytes, |word, bytes| {
                let cell = shadow.cell(word - base);
                let now = rec.at(1 << lane, bytes);
                let writer = cell.write;
                let Some(history) = cell.more.as_mut().and_then(|m| m.history.as_mut()) else { return };
                history.correct_newest(std::array::from_fn(|i| {
                    old_byte(access.space, memory, shared_bytes, word + i as u64).unwrap_or(0)
                }));
                // The second half of an element follows the first.
                if access.element > 4 && !(word - address).is_multiple_of(u64::from(access.element)) && !torn
                {
                    return;
                }
                let happens_before = |w: &Rec| threads.unordered(w, access.warp, lane, Which::Lenient) == 0;
                let old = history.choose(
                    &now,
                    reader,
                    happens_before,
                    |w| fence_orders.allow(reader, number(w)),
                    picker,
                );
                match old {
                    Some(value) => {
                        torn = true;
                        for (i, byte) in value.iter().enumerate() {
                            if bytes >> i & 1 != 0 {
                                loaded.bytes[lane as usize][(word + i as u64 - address) as usize] = *byte;
                            }
                        }
                    }
                    None if writer.present() && number(&writer) != reader => {
                        fence_orders.reads_from(reader, number(&writer), writer.tick);
                    }
                    None => {}
                }
            });
        }
    }

    /// Before an atomic: keeps values, and says whether any lane may miss another block's update.
    pub(super) fn before_atomic(
        &mut self,
        access: &Access,
        memory: &GlobalMemory,
        shared_bytes: &[u8],
    ) -> AtomicRead {
        self.counters.atomic(access, memory);
        self.check_written(access);
        if !self.picker.is_on() {
            return AtomicRead::Newest;
        }
        self.updated.clear();
        let volatile = self.options.volatile;
        let threads = &self.block(access.block).threads;
        let rec = Rec::of(access, threads.phase, threads.warp(access.warp).tick, volatile);
        let mut ask = AtomicRead::Newest;
        if access.space == Space::Global {
            let Checker { global, blocks, .. } = &mut *self;
            let Some(block) = blocks.get_mut(&access.block) else { return AtomicRead::Newest };
            let Block { threads, shared, .. } = &mut **block;
            let mut last = None;
            for lane in lanes(access.mask) {
                let address = access.addresses[lane as usize];
                if last == Some(address) {
                    continue;
                }
                last = Some(address);
                let base = window_base(access.space, address);
                let cell = shadow(global, shared, access.space, base).cell((address - base) & !3);
                let writer = cell.write;
                let now = rec.at(1 << lane, byte_mask(address, access.element));
                if rec.is_wide() && (!writer.present() || writer.is_wide()) {
                    continue;
                }
                let Some(bytes) = memory.slice(address, u64::from(access.bytes)) else { continue };
                let value = bytes.iter().rev().fold(0, |n, b| n << 8 | u128::from(*b));
                let before: [u8; 4] = std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0));
                let history = &mut cell.more().history;
                let history = history.get_or_insert_with(|| Box::new(History::starting_with(before)));
                let by = writer.present().then_some(writer.block);
                history.before_narrow(value, by.filter(|_| writer.is_write()));
                if writer.present()
                    && !writer.scopes_meet(&now)
                    && threads.unordered(&writer, access.warp, lane, Which::Lenient) != 0
                {
                    ask = AtomicRead::Ask;
                }
            }
        }
        let old = |address: u64| old_byte(access.space, memory, shared_bytes, address);
        self.keep_values(access, &rec, access.mask, &old, None);
        ask
    }

    /// What one lane of such an atomic reads.
    pub(super) fn narrow_read(&mut self, access: &Access, lane: u32, newest: u128) -> u128 {
        let address = access.addresses[lane as usize];
        if self.updated.contains(&address) {
            return newest;
        }
        self.updated.push(address);
        let Checker { global, blocks, picker, options, .. } = self;
        let Some(block) = blocks.get_mut(&access.block) else { return newest };
        let Block { threads, shared, .. } = &mut **block;
        let base = window_base(access.space, address);
        let cell = shadow(global, shared, access.space, base).cell((address - base) & !3);
        let writer = cell.write;
        let rec = Rec::of(access, threads.phase, threads.warp(access.warp).tick, options.volatile);
        let out_of_scope = writer.present()
            && !writer.scopes_meet(&rec)
            && threads.unordered(&writer, access.warp, lane, Which::Lenient) != 0;
        let history = cell.more.as_ref().and_then(|m| m.history.as_ref());
        match history.and_then(|h| h.narrow_value(access.block)) {
            Some(value) if out_of_scope && picker.misses() => value,
            _ => newest,
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

fn number(rec: &Rec) -> u64 {
    thread_number(rec.block, u32::from(rec.warp), rec.mask.trailing_zeros().min(31))
}

/// The address that a shadow's offset 0 stands for.
fn window_base(space: Space, address: u64) -> u64 {
    match space {
        Space::Shared => 0,
        Space::Global => address & !((1 << GlobalMemory::WINDOW) - 1),
    }
}

fn shadow<'a>(
    global: &'a mut Vec<Shadow>,
    shared: &'a mut Shadow,
    space: Space,
    base: u64,
) -> &'a mut Shadow {
    match space {
        Space::Shared => shared,
        Space::Global => {
            let index = Collector::allocation(base);
            if index >= global.len() {
                global.resize_with(index + 1, Shadow::default);
            }
            &mut global[index]
        }
    }
}

fn old_byte(space: Space, memory: &GlobalMemory, shared: &[u8], address: u64) -> Option<u8> {
    match space {
        Space::Shared => shared.get(address as usize).copied(),
        Space::Global => memory.slice(address, 1).map(|s| s[0]),
    }
}

/// The bytes of its first word that an element covers.
fn byte_mask(address: u64, element: u32) -> u8 {
    if element >= 4 { 0b1111 } else { (((1u32 << element) - 1) << (address % 4)) as u8 & 0b1111 }
}

/// The words that an access covers, each with its bytes.
#[inline]
fn words(address: u64, bytes: u32, mut f: impl FnMut(u64, u8)) {
    if bytes == 4 && address.is_multiple_of(4) {
        return f(address, 0b1111);
    }
    let end = address + u64::from(bytes);
    let mut word = address & !3;
    while word < end {
        let from = address.max(word) - word;
        let to = end.min(word + 4) - word;
        f(word, (((1u32 << to) - 1) & !((1u32 << from) - 1)) as u8);
        word += 4;
    }
}

/// The line of a lane's access, and the bytes it covers there.
fn line_bits(access: &Access, lane: u32) -> (u64, u128) {
    let address = access.addresses[lane as usize];
    let within = (address % LINE) as u32;
    let bytes = access.bytes.min(LINE as u32 - within);
    let bits = if bytes >= 128 { u128::MAX } else { (1 << bytes) - 1 };
    (address, bits << within)
}

/// The lines that lanes cover in shared memory, each with its bytes and the first lane there; a line may come twice.
pub(super) fn by_written_line(access: &Access, mask: u32, mut f: impl FnMut(u64, u128, u32)) {
    if let (Shape::Consecutive { base }, u32::MAX, 4) = (access.shape, mask, access.bytes)
        && base.is_multiple_of(4)
    {
        let position = (base % LINE) as u32;
        f(base / LINE * LINE, u128::MAX << position, 0);
        if position > 0 {
            f((base / LINE + 1) * LINE, u128::MAX >> (LINE as u32 - position), (LINE as u32 - position) / 4);
        }
        return;
    }
    let mask = if access.shape == Shape::Uniform { mask & mask.wrapping_neg() } else { mask };
    let mut open: Option<(u64, u128, u32)> = None;
    for lane in lanes(mask) {
        let (address, bits) = line_bits(access, lane);
        match &mut open {
            Some((line, sum, _)) if *line == address / LINE => *sum |= bits,
            _ => {
                if let Some((line, sum, first)) = open.replace((address / LINE, bits, lane)) {
                    f(line * LINE, sum, first);
                }
            }
        }
    }
    if let Some((line, sum, first)) = open {
        f(line * LINE, sum, first);
    }
}

/// Offset of lane 0's word, when the active lanes' 4-byte words follow each other inside one window.
fn consecutive(access: &Access, window: u64) -> Option<u64> {
    let Shape::Consecutive { base } = access.shape else { return None };
    // A guard like `tid >= offset` can put the inactive lane 0 below the window's start.
    let offset = base.checked_sub(window).filter(|o| *o < 1 << (GlobalMemory::WINDOW - 1))?;
    offset.is_multiple_of(4).then_some(offset)
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
