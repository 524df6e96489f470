//! Block barriers, as the hardware has them since Volta: counted by thread, numbered 0 to 15.
//!
//! PTX ISA, "bar, barrier". Without a count, a barrier opens when every thread of the block that has not exited has
//! arrived. With one, when that many have; a warp that arrives whole counts 32 even if it is short.

use super::block::Block;
use crate::simt::code::BarrierReduce;
use crate::simt::env::Env;
use crate::simt::event::WARP;
use crate::simt::warp::Wait;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BarrierState {
    /// Threads that have arrived since it last opened.
    threads: u32,
    /// The same, whole warps counted as 32.
    counted: u32,
    expected: Option<u32>,
    /// Warps with lanes that wait here.
    warps: u32,
    reduces: bool,
    trues: u32,
    falses: u32,
}

impl BarrierState {
    /// Nobody has arrived since it last opened.
    pub fn is_idle(&self) -> bool {
        self.counted == 0
    }
}

impl Block {
    /// Lanes of a warp arrive; whether the barrier is now complete.
    pub(super) fn arrive(
        &mut self,
        warp: u32,
        mask: u32,
        id: usize,
        expected: Option<u32>,
        waits: bool,
    ) -> bool {
        let whole = mask == self.warps[warp as usize].live;
        let barrier = &mut self.barriers[id];
        let threads = mask.count_ones();
        barrier.threads += threads;
        barrier.counted += if whole { WARP as u32 } else { threads };
        if expected.is_some() {
            barrier.expected = expected;
        }
        if waits {
            barrier.warps |= 1 << warp;
        }
        self.complete(id)
    }

    /// A whole warp arrives and waits; whether the barrier is now complete.
    #[inline]
    pub(super) fn arrive_whole(&mut self, index: usize, id: u32) -> bool {
        let warp = &mut self.warps[index];
        let threads = warp.at.mask.count_ones();
        warp.at.wait = Wait::Barrier(id);
        self.runnable &= !(1 << index);
        let barrier = &mut self.barriers[id as usize];
        barrier.threads += threads;
        barrier.counted += WARP as u32;
        barrier.warps |= 1 << index;
        match barrier.expected {
            Some(count) => barrier.counted >= count,
            None => barrier.threads >= self.live,
        }
    }

    /// Adds to a reduction.
    pub(super) fn contribute(&mut self, id: usize, trues: u32, falses: u32) {
        self.barriers[id].reduces = true;
        self.barriers[id].trues += trues;
        self.barriers[id].falses += falses;
    }

    pub(super) fn complete(&self, id: usize) -> bool {
        let barrier = &self.barriers[id];
        match barrier.expected {
            Some(count) => barrier.counted >= count && barrier.counted > 0,
            None => barrier.threads > 0 && barrier.threads >= self.live,
        }
    }

    /// Lets everyone who waits at the barrier go on.
    pub(super) fn open(&mut self, env: &Env, id: usize) {
        let barrier = std::mem::take(&mut self.barriers[id]);
        let mut warps = barrier.warps;
        self.runnable |= warps;
        self.parked &= !warps;
        while warps != 0 {
            let index = warps.trailing_zeros() as usize;
            warps &= warps - 1;
            let warp = &mut self.warps[index];
            if !barrier.reduces && warp.others.is_empty() {
                warp.at.wait = Wait::None;
                warp.at.pc += 1;
                continue;
            }
            for number in 0..=warp.others.len() {
                let split = if number == 0 { &mut warp.at } else { &mut warp.others[number - 1] };
                if split.wait != Wait::Barrier(id as u32) || split.mask == 0 {
                    continue;
                }
                split.wait = Wait::None;
                let instr = &env.code[split.pc as usize];
                split.pc += 1;
                let site = &env.program.tables.barriers[instr.imm as usize];
                if site.reduce == BarrierReduce::None {
                    continue;
                }
                let (frame, mask) = (split.frame, split.mask);
                match site.reduce {
                    BarrierReduce::Popc => {
                        let row = &mut warp.rows32[(frame.rows32 + site.d) as usize];
                        crate::simt::rows::put(row, &[barrier.trues; WARP], mask);
                    }
                    reduce => {
                        let holds = match reduce {
                            BarrierReduce::And => barrier.falses == 0,
                            _ => barrier.trues > 0,
                        };
                        let p = &mut warp.preds[(frame.preds + site.d) as usize];
                        *p = if holds { *p | mask } else { *p & !mask };
                    }
                }
            }
        }
    }
}
