//! Threads leaving the kernel.

use super::device::Device;
use super::step::Next;
use crate::simt::code::{NO_GUARD, Op};
use crate::simt::event::{BarrierArrival, BarrierKind, Observer};

impl<O: Observer> Device<'_, O> {
    /// Lanes exit.
    pub(super) fn exit(&mut self, place: usize, index: usize, mask: u32) -> Next {
        let block = &mut self.blocks[place];
        let number = block.number();
        let warp = &mut block.warps[index];
        let site = warp.at.pc;
        warp.live &= !mask;
        let stay = warp.at.mask & !mask;
        warp.at.mask = stay;
        let gone = warp.live == 0;
        warp.release_held();
        block.live -= mask.count_ones();
        if O::ENABLED {
            self.observer.threads_exited(site, number, index as u32, mask);
        }
        if gone {
            block.runnable &= !(1 << index);
        } else {
            self.meet_after_exit(place, index);
        }
        // Fewer threads are needed at the barriers now.
        let block = &mut self.blocks[place];
        if block.live > 0 {
            for id in 0..block.barriers.len() {
                if self.blocks[place].complete(id) {
                    self.open_barrier(place, id);
                }
            }
        }
        if stay != 0 {
            self.blocks[place].warps[index].at.pc = site + 1;
            return Next::Moved;
        }
        Next::Gone
    }

    pub(super) fn open_barrier(&mut self, place: usize, id: usize) {
        let block = &mut self.blocks[place];
        block.open(&self.env, id);
        self.version += 1;
        self.opened += 1;
        if O::ENABLED {
            self.observer.barrier_completed(block.number(), id as u32);
        }
    }

    /// The commonest barrier: a whole warp, together, at `bar.sync` with a constant number. `false` when it is another.
    #[inline]
    pub(super) fn whole_barrier(&mut self, place: usize, index: usize) -> bool {
        let block = &mut self.blocks[place];
        let warp = &mut block.warps[index];
        let site = warp.at.pc;
        let instr = &self.env.code[site as usize];
        let plain = instr.op == Op::Barrier && instr.a == 1 && instr.guard == NO_GUARD;
        if !plain || !warp.others.is_empty() || warp.at.mask != warp.live {
            return false;
        }
        let (id, mask) = (instr.b, warp.at.mask);
        warp.clock += 1;
        self.report.warp_instructions += 1;
        self.report.thread_instructions += u64::from(mask.count_ones());
        let complete = block.arrive_whole(index, id);
        if O::ENABLED {
            let barrier = &self.env.program.tables.barriers[instr.imm as usize];
            self.observer.barrier_arrived(&BarrierArrival {
                site,
                block: block.number(),
                warp: index as u32,
                mask,
                id,
                kind: BarrierKind::Sync,
                expected: None,
                aligned: barrier.aligned,
            });
        }
        if complete {
            self.open_barrier(place, id as usize);
        }
        true
    }

    /// A block barrier.
    pub(super) fn barrier(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
    ) -> Result<Next, Box<crate::simt::launch::Fault>> {
        use crate::simt::launch::FaultKind;
        use crate::simt::warp::{Wait, pred, row32};

        let block = &mut self.blocks[place];
        let warp = &mut block.warps[index];
        let site = warp.at.pc;
        let instr = self.env.code[site as usize];
        let barrier = self.env.program.tables.barriers[instr.imm as usize];
        let lane = mask.trailing_zeros() as usize & 31;
        let words = &self.env.image.words;
        let id = row32(warp, words, barrier.id)[lane];
        let expected = barrier.expected.map(|reg| row32(warp, words, reg)[lane]);
        if id >= 16 {
            let reason = format!("barrier {id} does not exist: there are 16, numbered from 0");
            return Err(self.fault(place, index, lane, FaultKind::Other { reason }));
        }
        // Lanes that the guard keeps out go on by themselves.
        let stay = warp.at.mask & !mask;
        if stay != 0 {
            warp.part(stay, site + 1);
        }
        warp.release_held();
        if let Some((reg, negated)) = barrier.predicate {
            let bits = pred(warp, reg);
            let bits = if negated { !bits } else { bits } & mask;
            block.contribute(id as usize, bits.count_ones(), mask.count_ones() - bits.count_ones());
        }
        let waits = barrier.kind != BarrierKind::Arrive;
        let warp = &mut block.warps[index];
        if waits {
            warp.at.wait = Wait::Barrier(id);
        }
        let complete = block.arrive(index as u32, mask, id as usize, expected, waits);
        if O::ENABLED {
            self.observer.barrier_arrived(&BarrierArrival {
                site,
                block: block.number(),
                warp: index as u32,
                mask,
                id,
                kind: barrier.kind,
                expected,
                aligned: barrier.aligned,
            });
        }
        if complete {
            self.open_barrier(place, id as usize);
        }
        if !waits {
            self.blocks[place].warps[index].at.pc += 1;
            return Ok(Next::Moved);
        }
        Ok(if complete { Next::Moved } else { Next::Gone })
    }
}
