//! A ticket counter that still holds an earlier launch's count.

use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::Violation;

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "counter-not-reset",
        summary: "A ticket counter is used by a second launch without being put back to zero.",
        what: "
A launch draws tickets from a counter that begins where an earlier launch stopped. No block gets the last ticket, so the part
of the kernel that only the last block executes never runs.",
        why: "
The ticket tells the last block by its number, gridDim.x - 1. A counter that begins at gridDim.x never gives that number. The
output then keeps whatever was there before, which may even be the right answer of the launch before: a stale result that
passes.",
        example: "
sum<<<blocks, threads>>>(in, partials, total, counter);
sum<<<blocks, threads>>>(in, partials, total, counter);   // counter begins at `blocks`",
        instead: "
// in the last block, when everybody has drawn a ticket:
if (threadIdx.x == 0) { *counter = 0; }
// or on the host, before each launch:
cudaMemset(counter, 0, sizeof(unsigned));",
        guide: "
CUDA C++ Programming Guide, \"Memory Fence Functions\": the sum example's last block resets the counter for the next launch.",
    },
    matches: |case| matches!(case.raw.violation, Violation::StaleCounter { .. }),
    say: |case| {
        let Violation::StaleCounter { start, tickets } = case.raw.violation else { return Words::new("", "") };
        Words::new(
            format!(
                "{} begins a later launch at {start}, where the earlier one stopped: its {tickets} tickets ({}) never reach the last number, and the last block's part does not run",
                case.variable(&case.raw.first),
                case.side_at(&case.raw.first),
            ),
            "Who puts the counter back, and when is it safe to do so?",
        )
    },
};
