//! One warp's turn.

use super::device::Device;
use crate::simt::code::{NO_GUARD, Op};
use crate::simt::env::{SPLITS, WATCHED};
use crate::simt::event::Observer;
use crate::simt::lanes::{Stop, run};
use crate::simt::launch::{Fault, FaultKind};
use crate::simt::progress::look;
use crate::simt::warp::{Wait, pred};

/// What executing a pending instruction led to.
pub(super) enum Next {
    /// Go on after it.
    On,
    /// Go on where the split's `pc` now is; other groups may have changed.
    Moved,
    /// The running lanes wait or have gone.
    Gone,
}

impl<O: Observer> Device<'_, O> {
    /// Lets a warp run until it waits, is done or its turn is over. `true` when the block should give way.
    pub(super) fn step(&mut self, place: usize, index: usize) -> Result<bool, Box<Fault>> {
        let version = self.version;
        if !self.blocks[place].warps[index].choose(version) {
            self.idle(place, index);
            return Ok(false);
        }
        let mut left = 1 + self.random.below(self.quantum);
        loop {
            let budget = self.limits.warp_instructions.saturating_sub(self.report.warp_instructions);
            if budget == 0 {
                let kind = FaultKind::StepBudget { budget: self.limits.warp_instructions };
                let lane = self.blocks[place].warps[index].at.mask.trailing_zeros() as usize & 31;
                return Err(self.fault(place, index, lane, kind));
            }
            let quantum = left.min(budget.min(u64::from(u32::MAX)) as u32);
            let block = &mut self.blocks[place];
            let warp = &mut block.warps[index];
            let threads = warp.at.mask.count_ones();
            let (stop, executed) = run(&self.env, warp, &mut block.shared, self.memory, quantum);
            self.report.warp_instructions += u64::from(executed);
            self.report.thread_instructions += u64::from(executed) * u64::from(threads);
            left = left.saturating_sub(executed);
            let effects = std::mem::take(&mut warp.at.spin.effects);
            self.version += effects;
            match stop {
                Stop::Quantum => {
                    if left == 0 {
                        warp.release_held();
                        return Ok(false);
                    }
                }
                Stop::Diverge { taken, target } => {
                    warp.part(taken, target);
                    warp.choose(self.version);
                }
                Stop::Reconverge => {
                    warp.choose(self.version);
                }
                Stop::Loops => {
                    let function = &self.env.program.functions[warp.at.frame.function as usize];
                    if let Some(version) = look(warp, function, self.version) {
                        warp.at.parked = Some(version);
                        if !warp.choose(self.version) {
                            self.idle(place, index);
                            return Ok(true);
                        }
                    }
                }
                Stop::Fault(fault) => {
                    let (lane, kind) = *fault;
                    return Err(self.fault(place, index, lane, kind));
                }
                Stop::Pending => {
                    if self.whole_barrier(place, index) {
                        return Ok(self.random.one_in(64));
                    }
                    let warp = &mut self.blocks[place].warps[index];
                    // The instruction itself counts as one.
                    self.report.warp_instructions += 1;
                    self.report.thread_instructions += u64::from(threads);
                    left = left.saturating_sub(1);
                    warp.clock += 1;
                    let instr = self.env.code[warp.at.pc as usize];
                    let gives_way = matches!(
                        instr.op,
                        Op::Atomic
                            | Op::StrongLoad
                            | Op::StrongStore
                            | Op::Fence(..)
                            | Op::Barrier
                            | Op::Pause
                    );
                    let next = self.pending(place, index)?;
                    if O::ENABLED && self.observer.ends_scouting() {
                        return Ok(true);
                    }
                    match next {
                        Next::On => {
                            let warp = &mut self.blocks[place].warps[index];
                            warp.at.pc += 1;
                            if warp.at.pc >= warp.limit {
                                warp.choose(self.version);
                            }
                        }
                        Next::Moved => {
                            let version = self.version;
                            self.blocks[place].warps[index].choose(version);
                        }
                        Next::Gone => {
                            let version = self.version;
                            if self.blocks[place].live == 0 {
                                return Ok(true);
                            }
                            if !self.blocks[place].warps[index].choose(version) {
                                self.idle(place, index);
                                // Another warp of the block goes on, most of the time.
                                return Ok(self.random.one_in(32));
                            }
                        }
                    }
                    if gives_way {
                        let warp = &mut self.blocks[place].warps[index];
                        if warp.impatient() {
                            warp.give_way(self.version, self.report.warp_instructions);
                        }
                        if self.random.one_in(16) {
                            self.blocks[place].warps[index].release_held();
                            return Ok(self.random.one_in(2));
                        }
                    }
                    if left == 0 {
                        self.blocks[place].warps[index].release_held();
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// The warp cannot run now: it waits, is parked, or has exited.
    fn idle(&mut self, place: usize, index: usize) {
        let version = self.version;
        let block = &mut self.blocks[place];
        let bit = 1u32 << index;
        block.runnable &= !bit;
        let parked = block.warps[index].splits().any(|s| s.mask != 0 && s.wait == Wait::None);
        if parked {
            if block.parked == 0 || block.parked_at == version {
                block.parked_at = version;
            } else {
                // Some warp was parked earlier: it may look again, at the earlier version's word.
                block.parked_at = block.parked_at.min(version);
            }
            block.parked |= bit;
        }
    }

    /// Carries out the instruction that the running lanes are at.
    fn pending(&mut self, place: usize, index: usize) -> Result<Next, Box<Fault>> {
        let warp = &mut self.blocks[place].warps[index];
        let pc = warp.at.pc;
        let instr = self.env.code[pc as usize];
        let mask = if instr.guard == NO_GUARD {
            warp.at.mask
        } else {
            let bits = pred(warp, instr.guard >> 1);
            warp.at.mask & if instr.guard & 1 == 1 { !bits } else { bits }
        };
        let flags = self.env.flags.get(pc as usize).copied().unwrap_or(0);
        if O::ENABLED && flags & SPLITS != 0 && warp.at.mask.count_ones() > 1 && warp.may_drift(self.version)
        {
            let turns = 1 + self.random.below(64);
            warp.drift(&mut self.random, turns);
            let mask = mask & warp.at.mask;
            if mask == 0 {
                return Ok(Next::On);
            }
            return self.execute(place, index, mask, flags & WATCHED != 0);
        }
        self.execute(place, index, mask, O::ENABLED && flags & WATCHED != 0)
    }

    fn execute(&mut self, place: usize, index: usize, mask: u32, watched: bool) -> Result<Next, Box<Fault>> {
        let pc = self.blocks[place].warps[index].at.pc;
        let instr = self.env.code[pc as usize];
        let lane = mask.trailing_zeros() as usize & 31;
        match instr.op {
            Op::Load
            | Op::LoadGlobal32
            | Op::LoadGlobal64
            | Op::LoadShared32
            | Op::LoadParam32
            | Op::LoadParam64 => {
                self.load(place, index, mask, watched)?;
            }
            Op::StrongLoad => {
                self.blocks[place].warps[index].at.spin.polls += 1;
                self.load(place, index, mask, watched)?;
            }
            Op::Store | Op::StoreGlobal32 | Op::StoreGlobal64 | Op::StoreShared32 | Op::StrongStore => {
                self.store(place, index, mask, watched)?;
            }
            Op::Atomic => {
                self.blocks[place].warps[index].at.spin.polls += 1;
                self.atomic(place, index, mask, watched)?;
            }
            Op::Fence(order, scope) => {
                if O::ENABLED {
                    let block = &self.blocks[place];
                    self.observer.fence(pc, block.number(), index as u32, mask, order, scope);
                }
            }
            Op::Pause => self.blocks[place].warps[index].at.spin.polls += 4,
            Op::Copying | Op::CommitCopies | Op::AwaitCopies => {
                if O::ENABLED {
                    self.asynchronous(place, index, mask, watched)?;
                }
            }
            Op::Barrier => return self.barrier(place, index, mask),
            Op::WarpBarrier | Op::Collective => return self.converge(place, index, mask),
            Op::BraIndexed => return Ok(self.branch_indexed(place, index, mask)),
            Op::Call => return self.call(place, index, mask),
            Op::Ret => return Ok(self.ret(place, index, mask)),
            Op::Exit => return Ok(self.exit(place, index, mask)),
            Op::Trap => return Err(self.fault(place, index, lane, FaultKind::Trap)),
            Op::Breakpoint => {
                let reason = "the kernel stopped at a breakpoint".to_owned();
                return Err(self.fault(place, index, lane, FaultKind::Other { reason }));
            }
            _ => {
                let instruction = self.env.program.text(pc).to_owned();
                return Err(self.fault(place, index, lane, FaultKind::Unsupported { instruction }));
            }
        }
        Ok(Next::On)
    }

    /// `brx.idx`: lanes go where their index says. An index outside the list is undefined; the last target is taken.
    fn branch_indexed(&mut self, place: usize, index: usize, mask: u32) -> Next {
        let warp = &mut self.blocks[place].warps[index];
        let instr = self.env.code[warp.at.pc as usize];
        let indices = *crate::simt::warp::row32(warp, &self.env.image.words, instr.a);
        let targets = &self.env.program.tables.targets[instr.imm as usize];
        let stay = warp.at.mask & !mask;
        let next = warp.at.pc + 1;
        let mut left = mask;
        let mut first = true;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            let chosen = indices[lane];
            let same =
                crate::simt::rows::lanes(left).filter(|&l| indices[l] == chosen).fold(0, |m, l| m | 1 << l);
            left &= !same;
            let Some(&target) = targets.get(chosen as usize).or(targets.last()) else { return Next::On };
            if first && stay == 0 && left == 0 {
                warp.at.pc = target;
                return Next::Moved;
            }
            first = false;
            if same == warp.at.mask {
                warp.at.pc = target;
            } else {
                warp.part(same, target);
            }
        }
        if stay != 0 {
            warp.at.pc = next;
        }
        Next::Moved
    }
}
