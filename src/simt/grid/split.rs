//! Groups of lanes of one warp: parting, meeting again, and whose turn it is.
//!
//! The group that is furthest behind runs first (deepest call, then lowest instruction), so that lanes meet again
//! where the compiler put their common path. So that lanes that wait for a neighbour never starve it, a group that
//! keeps polling or looping gives way to the others, the one that ran longest ago first.

use super::random::Random;
use crate::simt::warp::{Split, Wait, Warp};

/// Polls (strong loads, atomics) in one go, after which lanes give way at their next backward branch.
const PATIENCE: u32 = 12;
/// Times that a warp's lanes part while memory stays as it is.
const DRIFTS: u32 = 64;

impl Warp {
    /// Parts the running lanes: those of `taken` go to `target`.
    pub(super) fn part(&mut self, taken: u32, target: u32) {
        let mut other = self.at.clone();
        other.mask = taken;
        other.pc = target;
        other.spin = Default::default();
        self.at.mask &= !taken;
        self.others.push(other);
    }

    /// Lets groups at the same place go on as one with the running group.
    fn merge(&mut self) {
        let mut index = 0;
        while index < self.others.len() {
            if self.others[index].meets(&self.at) {
                let other = self.others.swap_remove(index);
                self.at.mask |= other.mask;
                self.at.parked = None;
                self.at.spin = Default::default();
            } else {
                index += 1;
            }
        }
    }

    /// Chooses the group to run by the order above; `false` when none can.
    #[inline]
    pub(super) fn choose(&mut self, version: u64) -> bool {
        if self.others.is_empty() {
            self.limit = u32::MAX;
            return self.ready(version);
        }
        self.choose_of_several(version)
    }

    fn choose_of_several(&mut self, version: u64) -> bool {
        let better = |a: &Split, b: &Split| (b.depth(), a.pc) < (a.depth(), b.pc);
        let mut best: Option<usize> = None;
        for (index, split) in self.others.iter().enumerate() {
            if split.mask != 0 && split.held == 0 && split.runnable(version) {
                best = match best {
                    Some(old) if !better(split, &self.others[old]) => Some(old),
                    _ => Some(index),
                };
            }
        }
        let own = self.at.mask != 0 && self.at.held == 0 && self.at.runnable(version);
        match best {
            Some(index) if !own || better(&self.others[index], &self.at) => self.swap(index),
            None if !own => {
                // Only groups that are held back are left.
                let held = self.others.iter().position(|s| s.held > 0 && s.runnable(version));
                match held {
                    Some(index) => {
                        self.others[index].held = 0;
                        self.swap(index);
                    }
                    None if self.at.held > 0 && self.at.mask != 0 && self.at.runnable(version) => {
                        self.at.held = 0;
                    }
                    None => return false,
                }
            }
            _ => {}
        }
        self.settle(version);
        true
    }

    /// Gives way to the group that ran longest ago, wherever it is; `false` when there is no other.
    pub(super) fn give_way(&mut self, version: u64, now: u64) -> bool {
        self.at.ran = now;
        self.at.spin.polls = 0;
        let next = (0..self.others.len())
            .filter(|&i| self.others[i].held == 0 && self.others[i].runnable(version))
            .min_by_key(|&i| self.others[i].ran);
        match next {
            Some(index) => {
                self.swap(index);
                self.settle(version);
                true
            }
            None => false,
        }
    }

    /// Whether the running group has polled long enough to give way.
    pub(super) fn impatient(&self) -> bool {
        !self.others.is_empty() && self.at.spin.polls >= PATIENCE
    }

    fn swap(&mut self, index: usize) {
        if self.at.mask == 0 {
            self.at = self.others.swap_remove(index);
        } else {
            std::mem::swap(&mut self.at, &mut self.others[index]);
        }
    }

    fn ready(&mut self, version: u64) -> bool {
        if self.at.mask == 0 || !self.at.runnable(version) {
            return false;
        }
        self.at.held = 0;
        self.resume(version);
        true
    }

    fn resume(&mut self, version: u64) {
        if self.at.parked.take().is_some() {
            self.at.spin.resume(version);
            self.backs = u32::MAX / 2;
        }
    }

    /// After the running group was chosen: meet the others at its place, and know where the next ones stand.
    fn settle(&mut self, version: u64) {
        self.resume(version);
        self.merge();
        let depth = self.at.depth();
        self.limit = self
            .others
            .iter()
            .filter(|s| s.wait == Wait::None && s.held == 0 && s.depth() == depth && s.pc > self.at.pc)
            .map(|s| s.pc)
            .min()
            .unwrap_or(u32::MAX);
    }

    /// Whether lanes may still part at the present state of memory. Lanes that poll must be able to find out that
    /// nothing changes, which they cannot while they part for ever.
    pub(super) fn may_drift(&mut self, version: u64) -> bool {
        if self.drifted.0 != version {
            self.drifted = (version, 0);
        }
        self.drifted.1 += 1;
        self.drifted.1 <= DRIFTS
    }

    /// Holds back a random part of the running lanes, at this very instruction, while the rest runs ahead.
    pub(super) fn drift(&mut self, random: &mut Random, turns: u32) {
        let ahead = (random.next() as u32) & self.at.mask;
        if ahead == 0 || ahead == self.at.mask {
            return;
        }
        let mut behind = self.at.clone();
        behind.mask &= !ahead;
        behind.held = turns;
        self.at.mask = ahead;
        self.others.push(behind);
    }

    /// Lets go of all lanes that are held back.
    pub(super) fn release_held(&mut self) {
        for split in &mut self.others {
            split.held = 0;
        }
    }
}
