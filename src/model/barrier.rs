//! Block barriers: who met, from where, and who was missing.
//!
//! Source: PTX `bar`, `barrier` ("must be the same instruction for all threads" of an aligned barrier) and 8.9.4
//! (barriers synchronise their participants; `bar.arrive` only releases); CUDA C++ Programming Guide,
//! "Synchronization Functions" (a barrier in conditional code needs a condition that is the same for the block).
//! Departs: threads that have left the kernel count as having met, as hardware since Volta does; that they were
//! missing is a finding of its own. A warp that reaches one barrier in several parts is not reported: all its
//! threads execute the same instruction.

use super::collect::Collector;
use super::finding::*;
use super::record::lanes;
use super::threads::Threads;
use crate::record::Severity;
use crate::simt::{BarrierArrival, BarrierKind, Site};

/// The arrivals at a block's barriers since each last opened.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    arrivals: Vec<BarrierArrival>,
}

impl Barriers {
    /// A block begins: what an earlier one left at its barriers is forgotten.
    pub fn begin(&mut self) {
        self.arrivals.clear();
    }

    pub fn arrived(&mut self, arrival: BarrierArrival) {
        self.arrivals.push(arrival);
    }

    /// Barrier `id` opened. The site it opened at, when it was met by the whole block.
    pub fn completed(
        &mut self,
        id: u32,
        threads: &mut Threads,
        collector: &mut Collector,
    ) -> Option<(Site, u32, u32)> {
        if self.arrivals.iter().any(|a| a.id != id) {
            let met: Vec<_> = self.arrivals.iter().filter(|a| a.id == id).copied().collect();
            self.arrivals.retain(|a| a.id != id);
            return judge(&met, threads, collector);
        }
        // Nearly always one barrier is in use: its table stays for the next time.
        let mut met = std::mem::take(&mut self.arrivals);
        let opened = judge(&met, threads, collector);
        met.clear();
        self.arrivals = met;
        opened
    }
}

/// What the meeting of these arrivals at one barrier means.
fn judge(
    met: &[BarrierArrival],
    threads: &mut Threads,
    collector: &mut Collector,
) -> Option<(Site, u32, u32)> {
    let first = met.first()?;
    if let Some(other) = met.iter().find(|a| a.site != first.site)
        && (other.aligned || first.aligned)
        && met.iter().all(|a| a.kind != BarrierKind::Arrive)
        && first.expected.is_none()
    {
        divergent(other, first, met, collector);
    }
    let mut masks = [0u32; 32];
    for arrival in met {
        if let Some(mask) = masks.get_mut(arrival.warp as usize) {
            *mask |= arrival.mask;
        }
    }
    let whole = threads.warps.iter().zip(masks).all(|(w, mask)| w.live & !mask == 0)
        && met.iter().all(|a| a.kind != BarrierKind::Arrive);
    let all = u32::try_from(threads.warps.iter().map(|w| w.began.count_ones() as usize).sum::<usize>());
    if whole && first.expected.is_none_or(|n| all.is_ok_and(|all| n >= all)) {
        skipped(first, threads, collector);
    }
    let opened = (first.site, first.warp, first.mask);
    if whole {
        threads.full_barrier();
        return Some(opened);
    }
    let arrived: Vec<(u32, u32)> = met.iter().map(|a| (a.warp, a.mask)).collect();
    let waited: Vec<(u32, u32)> =
        met.iter().filter(|a| a.kind != BarrierKind::Arrive).map(|a| (a.warp, a.mask)).collect();
    threads.partial_barrier(&arrived, &waited);
    None
}

/// A barrier as one side of a finding.
pub(super) fn waits(site: Site, block: u32, warp: u32, mask: u32) -> Side {
    Side {
        site: Some(site),
        block,
        thread: warp * 32 + mask.trailing_zeros().min(31),
        action: Action::Barrier,
        place: None,
        volatile: false,
        scope: None,
    }
}

fn divergent(a: &BarrierArrival, b: &BarrierArrival, met: &[BarrierArrival], collector: &mut Collector) {
    let waiting = met
        .iter()
        .map(|a| Waiter {
            site: a.site,
            block: a.block,
            warp: a.warp,
            mask: a.mask,
            what: WaitsFor::BlockBarrier(a.id),
        })
        .collect();
    collector.other(
        Violation::DivergentBarrier { deadlock: false },
        Severity::Error,
        waits(a.site, a.block, a.warp, a.mask),
        Some(waits(b.site, b.block, b.warp, b.mask)),
        waiting,
    );
}

fn skipped(arrival: &BarrierArrival, threads: &Threads, collector: &mut Collector) {
    let missing: u32 = threads.warps.iter().map(|w| (w.began & !w.live).count_ones()).sum();
    if missing == 0 {
        return;
    }
    let exits = threads.warps.iter().zip(0u32..).flat_map(|(w, i)| w.exits.iter().map(move |e| (i, e)));
    let early = exits.clone().all(|(_, &(_, _, phase))| phase == 0);
    let waiting: Vec<Waiter> = exits
        .map(|(warp, &(site, mask, _))| Waiter {
            site,
            block: threads.block,
            warp,
            mask,
            what: WaitsFor::Left,
        })
        .collect();
    let left = waiting.first().map(|w| Side {
        thread: w.warp * 32 + lanes(w.mask).next().unwrap_or(0),
        action: Action::Exit,
        ..waits(w.site, w.block, w.warp, w.mask)
    });
    let severity = if early { collector.early_return } else { collector.barrier_skipped };
    collector.other(
        Violation::BarrierSkipped { missing, early },
        severity.unwrap_or(Severity::Error),
        waits(arrival.site, arrival.block, arrival.warp, arrival.mask),
        left,
        waiting,
    );
}
