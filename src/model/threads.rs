//! What the threads of one resident block know.
//!
//! Nearly all threads of a block know the same: what their last full barrier gave them (the phase, and the
//! block's clocks). Only threads that acquire something on their own get a state of their own, which the next
//! full barrier folds into the block's. Two million threads therefore need a few words a warp.
//!
//! Source: PTX 8.9.5 (causality), MEMORY-MODEL rules 3 to 8.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::clock::{Clock, Mark, Pair};
use super::record::{Rec, lanes};
use crate::simt::Site;

/// Which of the two clocks a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// An atomic that observes a release acquires at once.
    Lenient,
    /// PTX to the letter: only an acquire operation or a fence acquires.
    Strict,
}

/// A release fence that lanes have executed, with the clock it took.
#[derive(Debug, Clone)]
pub(super) struct Release {
    pub mask: u32,
    /// The fence's scope reaches beyond the block.
    pub wide: bool,
    pub clock: Pair,
    pub phase: u32,
    /// All lanes of the warp are known up to here (0: none).
    pub synced: u32,
    pub tick: u32,
}

/// One warp of a resident block.
#[derive(Debug, Clone)]
pub(super) struct Warp {
    /// The warp's own time, from 1.
    pub tick: u32,
    /// Every lane knows every other one's accesses up to this tick.
    pub synced: u32,
    /// Lanes that have not left the kernel.
    pub live: u32,
    /// Lanes that the block began with.
    pub began: u32,
    /// Lanes with a state of their own.
    pub own: u32,
    /// The latest fences, at most one of each width a lane.
    pub releases: SmallVec<[Release; 1]>,
    /// Where lanes left, and in which phase.
    pub exits: SmallVec<[(Site, u32, u32); 1]>,
}

/// A thread that knows more than its block does.
#[derive(Debug, Clone, Default)]
pub(super) struct ThreadState {
    pub known: Pair,
    /// Observed by strong reads and waiting for an acquire fence.
    pub pending: Pair,
    /// The part of it that was released within this block only.
    pub pending_local: Pair,
}

/// The clocks of a resident block's threads.
#[derive(Debug, Default)]
pub(super) struct Threads {
    pub block: u32,
    /// Full block barriers passed.
    pub phase: u32,
    pub warps: Vec<Warp>,
    /// Known to all threads of the block.
    pub known: Pair,
    pub states: FxHashMap<u32, Box<ThreadState>>,
    /// Lenient: fences executed by any thread before the last full barrier, which whoever announces after the
    /// barrier also publishes. PTX wants the announcing thread's own fence (8.8), but older NVIDIA samples
    /// fence in every thread, meet at a barrier, and let one thread announce.
    pub fenced: Clock,
}

impl Threads {
    /// A block begins, with `threads` threads; what an earlier one left here is forgotten, its tables are used again.
    pub fn begin(&mut self, block: u32, threads: u32) {
        let mut warps = std::mem::take(&mut self.warps);
        warps.clear();
        warps.extend((0..threads.div_ceil(32)).map(|w| {
            let lanes = (threads - w * 32).min(32);
            let live = if lanes == 32 { u32::MAX } else { (1 << lanes) - 1 };
            Warp {
                tick: 1,
                synced: 0,
                live,
                began: live,
                own: 0,
                releases: SmallVec::new(),
                exits: SmallVec::new(),
            }
        }));
        let mut states = std::mem::take(&mut self.states);
        states.clear();
        *self = Threads { block, warps, states, ..Threads::default() };
    }

    pub fn warp(&self, warp: u32) -> &Warp {
        &self.warps[warp as usize]
    }

    /// The lane's own state, made when there is none.
    pub fn state(&mut self, warp: u32, lane: u32) -> &mut ThreadState {
        self.warps[warp as usize].own |= 1 << lane;
        let known = &self.known;
        self.states
            .entry(warp * 32 + lane)
            .or_insert_with(|| Box::new(ThreadState { known: known.clone(), ..ThreadState::default() }))
    }

    /// What a lane knows.
    pub fn known(&self, warp: u32, lane: u32) -> &Pair {
        if self.warp(warp).own >> lane & 1 != 0
            && let Some(state) = self.states.get(&(warp * 32 + lane))
        {
            return &state.known;
        }
        &self.known
    }

    /// Whether the record happens before anything that these lanes do now, by what the whole block (or warp)
    /// knows: cheap, and `false` may still mean ordered.
    #[inline]
    pub fn surely_ordered(&self, rec: &Rec, warp: u32, which: Which) -> bool {
        if rec.block == self.block {
            rec.phase < self.phase
                || (u32::from(rec.warp) == warp && rec.tick <= self.warp(warp).synced)
                || (!self.known.is_empty() && self.clock(which).unknown(rec) == 0)
        } else {
            self.clock(which).unknown(rec) == 0
        }
    }

    /// Lanes of the record that do not happen before what this lane does now.
    #[inline]
    pub fn unordered(&self, rec: &Rec, warp: u32, lane: u32, which: Which) -> u32 {
        let mut mask = rec.mask;
        let state = self.warp(warp);
        if rec.block == self.block {
            if rec.phase < self.phase {
                return 0;
            }
            if u32::from(rec.warp) == warp {
                if rec.tick <= state.synced {
                    return 0;
                }
                mask &= !(1 << lane);
                if mask == 0 {
                    return 0;
                }
            }
        }
        let own = state.own >> lane & 1 != 0;
        if !own && self.known.is_empty() {
            return mask;
        }
        let known = self.known(warp, lane);
        let clock = match which {
            Which::Lenient => &known.lenient,
            Which::Strict => &known.strict,
        };
        mask & clock.unknown(rec)
    }

    fn clock(&self, which: Which) -> &Clock {
        match which {
            Which::Lenient => &self.known.lenient,
            Which::Strict => &self.known.strict,
        }
    }

    /// The marks that stand for a lane's own past (and for what it knows of its warp) at a tick.
    pub fn marks(&self, warp: u32, mask: u32, synced: u32, tick: u32, phase: u32) -> SmallVec<[Mark; 2]> {
        let mut marks = SmallVec::new();
        if synced > 0 {
            let all = self.warp(warp).began;
            marks.push(Mark { warp: warp as u16, mask: all, tick: synced, phase });
        }
        marks.push(Mark { warp: warp as u16, mask, tick, phase });
        marks
    }

    /// Everything that a lane knows now, with its own past: what an operation that releases by itself hands on.
    pub fn snapshot(&self, warp: u32, lane: u32) -> Pair {
        let mut clock = self.known(warp, lane).clone();
        let state = self.warp(warp);
        let marks = self.marks(warp, 1 << lane, state.synced, state.tick, self.phase);
        clock.learn(self.block, self.phase, &marks);
        clock
    }

    /// The clock that a fence took, with the lane's own past at the fence.
    pub fn released(&self, release: &Release, warp: u32, lane: u32) -> Pair {
        let mut clock = release.clock.clone();
        let marks = self.marks(warp, 1 << lane, release.synced, release.tick, release.phase);
        clock.learn(self.block, release.phase, &marks);
        clock
    }

    /// All live threads of the block have met: they all know all of each other.
    pub fn full_barrier(&mut self) {
        let mut fenced = std::mem::take(&mut self.fenced);
        for w in 0..self.warps.len() {
            for release in self.warps[w].releases.iter().filter(|r| r.wide && r.phase == self.phase) {
                fenced.join(&release.clock.lenient);
                let marks = self.marks(w as u32, release.mask, release.synced, release.tick, release.phase);
                fenced.learn(self.block, release.phase, &marks);
            }
        }
        self.fenced = fenced;
        if !self.states.is_empty() {
            for state in self.states.values() {
                self.known.join(&state.known);
            }
            let known = self.known.clone();
            let warps = &mut self.warps;
            self.states.retain(|thread, state| {
                let waits = !state.pending.is_empty() || !state.pending_local.is_empty();
                if waits {
                    state.known = known.clone();
                } else {
                    warps[(*thread / 32) as usize].own &= !(1 << (*thread % 32));
                }
                waits
            });
        }
        self.phase += 1;
    }

    /// Some threads have met: those in `waited` learn what all in `arrived` know.
    pub fn partial_barrier(&mut self, arrived: &[(u32, u32)], waited: &[(u32, u32)]) {
        let mut met = Pair::default();
        for &(warp, mask) in arrived {
            let state = self.warp(warp);
            if mask & !state.own != 0 {
                met.join(&self.known);
            }
            for lane in lanes(mask & state.own) {
                met.join(&self.known(warp, lane).clone());
            }
            let marks = self.marks(warp, mask, state.synced, state.tick, self.phase);
            met.learn(self.block, self.phase, &marks);
            self.warps[warp as usize].tick += 1;
        }
        for &(warp, mask) in waited {
            for lane in lanes(mask) {
                self.state(warp, lane).known.join(&met);
            }
        }
    }

    /// `bar.warp.sync`.
    pub fn warp_barrier(&mut self, warp: u32, mask: u32) {
        let state = self.warp(warp);
        if state.live & !mask != 0 {
            return self.partial_barrier(&[(warp, mask)], &[(warp, mask)]);
        }
        let own = state.own;
        let whole = &mut self.warps[warp as usize];
        whole.synced = whole.tick;
        whole.tick += 1;
        if own != 0 {
            let mut met = Pair::default();
            if mask & !own != 0 {
                met.join(&self.known);
            }
            for lane in lanes(own) {
                met.join(&self.known(warp, lane).clone());
            }
            if !met.lenient.same(&self.known.lenient) || !met.strict.same(&self.known.strict) {
                for lane in lanes(mask) {
                    self.state(warp, lane).known = met.clone();
                }
            }
        }
    }
}
