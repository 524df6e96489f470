//! Nothing runs any more: who waits for what.

use super::device::Device;
use crate::simt::event::Observer;
use crate::simt::launch::{Fault, FaultKind, Waiting};
use crate::simt::warp::Wait;

/// Waiting groups that a report names at most.
const NAMED: usize = 64;

impl<O: Observer> Device<'_, O> {
    /// The fault of a launch in which no thread can go on.
    pub(super) fn stuck(&self) -> Fault {
        let resident = self.blocks.iter().filter(|b| b.live > 0);
        // Lanes that spin for ever are the cause; those at barriers wait for them.
        for block in resident.clone() {
            for warp in &block.warps {
                for split in warp.splits() {
                    if split.mask != 0 && split.wait == Wait::None {
                        let lane = split.mask.trailing_zeros();
                        return Fault {
                            kind: FaultKind::NoProgress,
                            site: Some(split.pc),
                            thread: Some((block.number(), warp.index * 32 + lane)),
                        };
                    }
                }
            }
        }
        let waiting: Vec<Waiting> = resident
            .flat_map(|block| {
                block.waiting().map(|(warp, split)| Waiting {
                    site: split.pc,
                    block: block.number(),
                    warp: warp.index,
                    mask: split.mask,
                    barrier: match split.wait {
                        Wait::Barrier(id) => Some(id),
                        _ => None,
                    },
                })
            })
            .take(NAMED)
            .collect();
        let first = waiting.first();
        Fault {
            site: first.map(|w| w.site),
            thread: first.map(|w| (w.block, w.warp * 32 + (w.mask.trailing_zeros() & 31))),
            kind: FaultKind::Deadlock { waiting },
        }
    }
}
