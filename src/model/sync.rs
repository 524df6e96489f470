//! Release and acquire patterns: how one thread's past reaches another through a fence, a strong write and a
//! strong read.
//!
//! Source: PTX 8.8 (release and acquire patterns), 8.9.2 (observation order), 8.9.4 (synchronizes).
//! `fence.sc` counts as `acq_rel`; no edge comes from the order in which fences happened to execute.
//! Departs: the lenient clock lets an atomic acquire without a fence, and lets a fence before a block barrier
//! serve the thread that announces after it (see `threads.rs`). The exception is for tickets and flags, where shipped
//! code goes without; a compare-and-swap takes a lock, and locks without a fence are known to fail on hardware (Alglave
//! et al., "GPU Concurrency: Weak Behaviours and Programming Assumptions", ASPLOS 2015).

use smallvec::SmallVec;

use super::clock::Pair;
use super::record::{Rec, lanes};
use super::threads::{Release, Threads, Which};
use crate::simt::{FenceOrder, Scope};

/// What the value at a location carries: the release patterns that end in its write, along the chain of
/// read-modify-writes that led to it.
#[derive(Debug, Clone, Default)]
pub(super) struct Message {
    /// Released at a scope beyond the block.
    wide: Pair,
    /// Released within one block only, by block.
    local: SmallVec<[(u32, Pair); 1]>,
}

impl Message {
    fn is_empty(&self) -> bool {
        self.wide.is_empty() && self.local.is_empty()
    }
}

/// How an access takes part in patterns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Patterns {
    /// `.acquire`, `.acq_rel`.
    pub acquire: bool,
    /// `.release`, `.acq_rel`.
    pub release: bool,
    /// The lenient clock acquires at once: `atom`, but not `red`, and not a compare-and-swap.
    pub lenient: bool,
}

impl Threads {
    /// A fence by these lanes.
    pub fn fence(&mut self, warp: u32, mask: u32, order: FenceOrder, scope: Scope) {
        let wide = matches!(scope, Scope::Gpu | Scope::Sys);
        if order != FenceOrder::Release {
            self.acquire_pending(warp, mask, wide);
        }
        if order != FenceOrder::Acquire {
            self.take_release(warp, mask, wide);
        }
        self.warps[warp as usize].tick += 1;
    }

    fn acquire_pending(&mut self, warp: u32, mask: u32, wide: bool) {
        let block = self.block;
        for lane in lanes(mask & self.warp(warp).own) {
            let state = self.state(warp, lane);
            let local = std::mem::take(&mut state.pending_local);
            state.known.join(&local);
            if wide {
                let pending = std::mem::take(&mut state.pending);
                state.known.join(&pending);
            } else if !state.pending.is_empty() {
                let own = state.pending.only(block);
                state.known.join(&own);
            }
        }
    }

    fn take_release(&mut self, warp: u32, mask: u32, wide: bool) {
        let state = self.warp(warp);
        let (synced, tick, own) = (state.synced, state.tick, state.own);
        let phase = self.phase;
        let release = |mask: u32, clock: Pair| Release { mask, wide, clock, phase, synced, tick };
        let mut fresh: SmallVec<[Release; 2]> = SmallVec::new();
        if mask & !own != 0 {
            fresh.push(release(mask & !own, self.known.clone()));
        }
        for lane in lanes(mask & own) {
            fresh.push(release(1 << lane, self.known(warp, lane).clone()));
        }
        let releases = &mut self.warps[warp as usize].releases;
        releases.retain(|r| {
            // A wide fence also replaces the lanes' narrow ones: it took the larger clock.
            if wide || !r.wide {
                r.mask &= !mask;
            }
            r.mask != 0
        });
        releases.extend(fresh);
    }

    /// A strong read of a location whose last write is `writer`, carrying `message`.
    pub fn observe(&mut self, rec: &Rec, lane: u32, writer: &Rec, message: Option<&Message>, how: Patterns) {
        let Some(message) = message.filter(|m| !m.is_empty()) else { return };
        if !writer.present() || !writer.can_synchronize(rec) {
            return;
        }
        let warp = u32::from(rec.warp);
        let block = self.block;
        let local = message.local.iter().find(|(b, _)| *b == block).map(|(_, pair)| pair);
        // A narrow acquire takes only what this block released.
        let narrow;
        let wide = if how.acquire && !rec.is_wide() {
            narrow = message.wide.only(block);
            &narrow
        } else {
            &message.wide
        };
        if how.acquire {
            let mut known = self.known(warp, lane).clone();
            let mut changed = known.join(wide);
            if let Some(local) = local {
                changed |= known.join(local);
            }
            if changed {
                self.state(warp, lane).known = known;
            }
            return;
        }
        if how.lenient {
            let mut lenient = self.known(warp, lane).lenient.clone();
            let mut changed = false;
            if rec.is_wide() {
                changed |= lenient.join(&wide.lenient);
            } else {
                changed |= lenient.join(&wide.lenient.only(block));
            }
            if let Some(local) = local {
                changed |= lenient.join(&local.lenient);
            }
            if changed {
                self.state(warp, lane).known.lenient = lenient;
            }
        }
        let state = self.state(warp, lane);
        state.pending.join(wide);
        if let Some(local) = local {
            state.pending_local.join(local);
        }
    }

    /// The message that a strong write of this lane leaves; `chain` is the one it read, when it is a
    /// read-modify-write. `None` when the value carries nothing.
    pub fn publish(
        &mut self,
        rec: &Rec,
        lane: u32,
        writer: &Rec,
        chain: Option<Box<Message>>,
        how: Patterns,
    ) -> Option<Box<Message>> {
        let mut message =
            chain.filter(|_| rec.is_atomic() && writer.present() && writer.can_synchronize(rec));
        let warp = u32::from(rec.warp);
        let bit = 1 << lane;
        if how.release {
            let now = self.snapshot(warp, lane);
            let to = message.get_or_insert_default();
            if rec.is_wide() {
                to.wide.join(&now);
            } else {
                to.add_local(self.block, &now);
            }
            if rec.is_wide() {
                return message;
            }
        }
        let state = &self.warps[warp as usize];
        for i in 0..state.releases.len() {
            let release = &self.warps[warp as usize].releases[i];
            if release.mask & bit == 0 {
                continue;
            }
            let to = message.get_or_insert_default();
            if release.wide && rec.is_wide() {
                to.wide.join(&release.clock);
                let marks = self.marks(warp, bit, release.synced, release.tick, release.phase);
                to.wide.learn(self.block, release.phase, &marks);
            } else {
                let clock = self.released(release, warp, lane);
                to.add_local(self.block, &clock);
            }
        }
        if rec.is_wide() && !self.fenced.is_empty() {
            message.get_or_insert_default().wide.lenient.join(&self.fenced);
        }
        message
    }

    /// Whether publishing or observing at this moment could do anything for these lanes.
    pub fn has_releases(&self, warp: u32, mask: u32) -> bool {
        !self.fenced.is_empty() || self.warp(warp).releases.iter().any(|r| r.mask & mask != 0)
    }

    /// Lanes of the record that a lane does not know: by the lenient clock, and (only asked when that has none)
    /// by the strict one.
    pub fn unordered_both(&self, rec: &Rec, warp: u32, lane: u32) -> (u32, bool) {
        let lenient = self.unordered(rec, warp, lane, Which::Lenient);
        if lenient != 0 {
            return (lenient, false);
        }
        (self.unordered(rec, warp, lane, Which::Strict), true)
    }
}

impl Message {
    fn add_local(&mut self, block: u32, clock: &Pair) {
        match self.local.iter_mut().find(|(b, _)| *b == block) {
            Some((_, pair)) => {
                pair.join(clock);
            }
            None => self.local.push((block, clock.clone())),
        }
    }
}
