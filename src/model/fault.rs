//! What a stopped launch means: a violation by the program, or something that leaves its verdict open.

use super::barrier::waits;
use super::collect::Collector;
use super::finding::*;
use super::residents::Residents;
use crate::record::Severity;
use crate::simt::{Fault, FaultKind, Waiting};

/// Turns a fault into a finding, or gives the reason why the verdict is unknown.
pub(super) fn found(fault: &Fault, collector: &mut Collector, blocks: &Residents) -> Option<String> {
    let (block, thread) = fault.thread.unwrap_or((0, 0));
    let side =
        |action| Side { site: fault.site, block, thread, action, place: None, volatile: false, scope: None };
    let reason = match &fault.kind {
        FaultKind::OutOfBounds { what, .. } => {
            let action = match *what {
                "store" => Action::Write,
                "atomic" => Action::Atomic,
                _ => Action::Read,
            };
            bounds(fault, side(action), collector);
            return None;
        }
        FaultKind::Misaligned { .. } => {
            bounds(fault, side(Action::Read), collector);
            return None;
        }
        FaultKind::ReadOnly { .. } => {
            bounds(fault, side(Action::Write), collector);
            return None;
        }
        FaultKind::NoProgress => {
            let violation = Violation::NoProgress;
            collector.other(violation, Severity::Error, side(Action::Loop), None, Vec::new());
            return None;
        }
        FaultKind::Deadlock { waiting } => {
            deadlock(fault, waiting, collector, blocks);
            return None;
        }
        FaultKind::StepBudget { budget } => {
            format!("the run was stopped after {budget} warp instructions, before the kernel had ended")
        }
        FaultKind::Trap => "the kernel stopped itself: it called `__trap()`, or the compiler put a trap where the code is undefined".to_owned(),
        FaultKind::Assertion { expression, line } => {
            format!("the assertion `{expression}` failed (line {line})")
        }
        FaultKind::StackOverflow { limit } => {
            format!("a thread needs more than {limit} bytes of local memory")
        }
        FaultKind::BadLaunch { reason } => format!("the launch is not possible: {reason}"),
        FaultKind::Unsupported { instruction } => {
            format!("the embedded device does not model `{instruction}`")
        }
        FaultKind::Other { reason } => reason.clone(),
    };
    Some(reason)
}

fn bounds(fault: &Fault, side: Side, collector: &mut Collector) {
    collector.other(Violation::Bounds(fault.kind.clone()), Severity::Error, side, None, Vec::new());
}

/// Threads wait and none can run: they stand at different barriers, or for threads that never come.
fn deadlock(fault: &Fault, waiting: &[Waiting], collector: &mut Collector, blocks: &Residents) {
    let Some(first) = waiting.first() else {
        let side = waits(fault.site.unwrap_or(0), 0, 0, 1);
        let violation = Violation::DivergentBarrier { deadlock: true };
        collector.other(violation, Severity::Error, side, None, Vec::new());
        return;
    };
    let other = waiting.iter().find(|w| w.block == first.block && w.site != first.site);
    let mut who: Vec<Waiter> = waiting
        .iter()
        .filter(|w| w.block == first.block)
        .map(|w| Waiter {
            site: w.site,
            block: w.block,
            warp: w.warp,
            mask: w.mask,
            what: w.barrier.map_or(WaitsFor::WarpBarrier, WaitsFor::BlockBarrier),
        })
        .collect();
    if let Some(block) = blocks.get(first.block) {
        for (state, warp) in block.threads.warps.iter().zip(0..) {
            for &(site, mask, _) in &state.exits {
                who.push(Waiter { site, block: first.block, warp, mask, what: WaitsFor::Left });
            }
        }
    }
    let left = who.iter().find(|w| w.what == WaitsFor::Left).cloned();
    let second = match (other, left) {
        (Some(w), _) => Some(waits(w.site, w.block, w.warp, w.mask)),
        (None, Some(w)) => Some(Side { action: Action::Exit, ..waits(w.site, w.block, w.warp, w.mask) }),
        (None, None) => None,
    };
    collector.other(
        Violation::DivergentBarrier { deadlock: true },
        Severity::Error,
        waits(first.site, first.block, first.warp, first.mask),
        second,
        who,
    );
}
