//! A loop that waits for what can never come.

use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::Violation;

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "no-progress",
        summary: "The kernel loops for ever: nothing that it waits for can change any more.",
        what: "
Every thread that is left runs in a loop, and nothing any of them reads can change.",
        why: "
Either the value waited for is never written, or the compiler has turned the waiting loop into one that no longer reads: for a
plain variable it may load once and then loop on the register, because a program without data races cannot notice. A lock
that lanes of one warp take from each other without forward progress ends here too.",
        example: "
while (flag[0] == 0) { }                             // a plain load: read once, then for ever the same",
        instead: "
while (atomicAdd(&flag[0], 0) == 0) { }              // or cuda::atomic_ref::load(memory_order_acquire)
__threadfence();",
        guide: "
CUDA C++ Programming Guide, \"Volatile Qualifier\": the compiler may keep a value in a register across reads.",
    },
    matches: |case| matches!(case.raw.violation, Violation::NoProgress),
    say: |case| {
        let side = &case.raw.first;
        Words::new(
            format!(
                "{} loops for ever ({}): nothing it waits for can change",
                super::case::thread(side.block, side.thread),
                case.side_at(side),
            ),
            "Who should end this loop, and does the loop really read memory again each time?",
        )
    },
};
