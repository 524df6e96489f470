//! Threads that had left the kernel when their block met at a barrier.

use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::Violation;

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "barrier-skipped",
        summary: "A barrier was passed although some threads of the block had left the kernel.",
        what: "
Some threads of a block waited at `__syncthreads()` while others had already returned, or had fallen out of a guarded loop
and ended, without reaching it.",
        why: "
The guide requires that all threads of the block reach the barrier, or none. Since Volta, hardware lets the rest go on when
the missing threads have exited, so nothing hangs and synccheck stays silent; the missing threads did not do their share of
the work before the barrier, and the rest reads what they never wrote.",
        example: "
for (...) {
    if (i < n) {                                     // false for some threads of the last tile
        tile[tid] = in[i];
        __syncthreads();
        ...",
        instead: "
for (...) {
    tile[tid] = (i < n) ? in[i] : 0.0f;              // the guard covers the access,
    __syncthreads();                                 // the barrier is for everybody
    ...",
        guide: "
CUDA C++ Programming Guide, \"Synchronization Functions\": conditional code only if the condition is the same for the entire
block. \"Compute Capability 7.x, Independent Thread Scheduling\": barriers are enforced per thread, and must be reached by all
non-exited threads.",
    },
    matches: |case| matches!(case.raw.violation, Violation::BarrierSkipped { .. }),
    say: |case| {
        let Violation::BarrierSkipped { missing, early } = case.raw.violation else { return Words::new("", "") };
        let first = &case.raw.first;
        let left = case.raw.second.as_ref().map_or_else(String::new, |s| format!(" at {}", case.side_at(s)));
        let when = if early { ", before any barrier" } else { "" };
        let threads = if missing == 1 { "1 thread".to_owned() } else { format!("{missing} threads") };
        Words::new(
            format!(
                "block {}: the barrier at {} was passed without {threads} of the block, which had left the kernel{left}{when}",
                first.block,
                case.side_at(first),
            ),
            "Which threads skip the barrier, and why? Guard the loads and stores, not the barrier.",
        )
    },
};
