//! Threads of one block at different barriers.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::{Violation, WaitsFor};

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "divergent-barrier",
        summary: "Threads of one block wait at different barriers, or some never come.",
        what: "
`__syncthreads()` was reached at two different places by threads of the same block, or some threads wait at a barrier that
the others never reach, so that the kernel hangs.",
        why: "
A block's barrier is one meeting of all its threads, at one place in the program. Threads that meet from different places
have not passed the same point: what each believes to be finished is not. On hardware this can hang, or let the wrong
threads go on; compute-sanitizer's synccheck does not always report it.",
        example: "
if (tid < 128) { work(); __syncthreads(); }
else           { other(); __syncthreads(); }         // not the same barrier",
        instead: "
if (tid < 128) { work(); } else { other(); }
__syncthreads();                                     // one barrier, outside the branch",
        guide: "
CUDA C++ Programming Guide, \"Synchronization Functions\": `__syncthreads()` is allowed in conditional code only if the
conditional evaluates identically across the entire block. PTX ISA, `bar`: the same instruction for all threads.",
    },
    matches: |case| matches!(case.raw.violation, Violation::DivergentBarrier { .. }),
    say,
};

fn say(case: &Case) -> Words {
    let first = &case.raw.first;
    let deadlock = matches!(case.raw.violation, Violation::DivergentBarrier { deadlock: true });
    let advice = "The condition around a barrier has to be the same for every thread of the block. Which threads take which way here?";
    let warp_only = case.raw.evidence.waiting.iter().all(|w| w.what != WaitsFor::BlockBarrier(0))
        && case.raw.evidence.waiting.iter().any(|w| w.what == WaitsFor::WarpBarrier);
    let what = if warp_only { "a warp's barrier" } else { "the barrier" };
    let message = match &case.raw.second {
        Some(second) if second.action == crate::model::Action::Exit => format!(
            "block {}: thread {} waits at {what} at {} for threads that have left the kernel at {}",
            first.block,
            first.thread,
            case.side_at(first),
            case.side_at(second),
        ),
        Some(second) => format!(
            "block {}: thread {} waits at {what} at {} while thread {} waits at {}{}",
            first.block,
            first.thread,
            case.side_at(first),
            second.thread,
            case.side_at(second),
            if deadlock { ", and neither can go on" } else { "" },
        ),
        None => format!(
            "block {}: thread {} waits at {what} at {} for threads that never come",
            first.block,
            first.thread,
            case.side_at(first),
        ),
    };
    Words::new(message, advice)
}
