//! Where the adversary meets the launch: words' values are kept as they change, and given out to what races.
//!
//! What may be given out is decided in `stale.rs`.

use super::checker::{Block, Checker, thread_number};
use super::footprint::*;
use super::record::{Rec, lanes};
use super::threads::{Threads, Which};
use crate::simt::{Access, AtomicRead, GlobalMemory, Loaded, Shape, Space};

impl Checker {
    /// Remembers what words held, so that racing reads can be given it.
    pub(super) fn keep_values(
        &mut self,
        access: &Access,
        rec: &Rec,
        mask: u32,
        old: &dyn Fn(u64) -> Option<u8>,
        stored: Option<&Loaded>,
    ) {
        let Checker { blocks, global, fence_orders, .. } = self;
        let Some(block) = blocks.get_mut(access.block) else { return };
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
                cell.more().history(before).push(
                    rec.at(if together { mask } else { 1 << lane }, bytes),
                    before,
                    after,
                    access.space == Space::Shared,
                );
            });
        }
    }

    /// The adversary's part of a load.
    pub(super) fn give_old_values(
        &mut self,
        access: &Access,
        rec: &Rec,
        memory: &GlobalMemory,
        shared_bytes: &[u8],
        loaded: &mut Loaded,
    ) {
        let Checker { blocks, global, picker, fence_orders, looks, .. } = self;
        let Some(block) = blocks.get_mut(access.block) else { return };
        let Block { threads, shared, .. } = block;
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
                *looks += 1;
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
            let Some(block) = blocks.get_mut(access.block) else { return AtomicRead::Newest };
            let Block { threads, shared, .. } = block;
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
                let history = cell.more().history(before);
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
        let Some(block) = blocks.get_mut(access.block) else { return newest };
        let Block { threads, shared, .. } = block;
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

fn number(rec: &Rec) -> u64 {
    thread_number(rec.block, u32::from(rec.warp), rec.mask.trailing_zeros().min(31))
}
