//! A read of bytes that nobody has written.

use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::Violation;

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "uninitialised-read",
        summary: "A thread reads memory that nobody has written.",
        what: "
A read (or an atomic) of shared memory that no thread of the block has written, or of a buffer that neither the host nor a
kernel has filled. An asynchronous copy has written when the thread that began it has waited for it.",
        why: "
Shared memory begins with whatever the block before left there, and cudaMalloc does not clear. The value read is anything:
often zero on a fresh machine, and something else on the day it matters.",
        example: "
__shared__ unsigned bins[16];
atomicAdd(&bins[key], 1u);                           // bins holds what the last block left",
        instead: "
if (threadIdx.x < 16) { bins[threadIdx.x] = 0; }
__syncthreads();
atomicAdd(&bins[key], 1u);",
        guide: "
CUDA C++ Programming Guide, \"Shared Memory\" and \"Device Memory\"; Compute Sanitizer, initcheck.",
    },
    matches: |case| matches!(case.raw.violation, Violation::Uninitialised { .. }),
    say: |case| {
        let side = &case.raw.first;
        if matches!(case.raw.violation, Violation::Uninitialised { copying: true, .. }) {
            return Words::new(
                format!(
                    "{} reads {} ({}), into which an asynchronous copy may still be writing",
                    super::case::thread(side.block, side.thread),
                    case.location(side),
                    case.side_at(side),
                ),
                "Which thread began the copy, and has it waited for it? A barrier orders only what has been waited for.",
            );
        }
        Words::new(
            format!(
                "{} reads {} ({}), which nobody has written",
                super::case::thread(side.block, side.thread),
                case.location(side),
                case.side_at(side),
            ),
            "Who should have written this first, and in which order? Threads outside the data's range are often the ones that did not.",
        )
    },
};
