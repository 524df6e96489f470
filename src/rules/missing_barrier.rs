//! Threads of one block share memory with no barrier between the accesses.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::{Action, Relation};

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "missing-barrier",
        summary: "Two threads of one block use the same memory with no barrier between.",
        what: "
Two threads of one block touch the same bytes, at least one of them writes, and no `__syncthreads()` (inside one warp: no
`__syncwarp()`) stands between the two accesses. The finding is marked `within-warp` when both are lanes of one warp.",
        why: "
Warps of a block run in any order, and since Volta the lanes of a warp do too: there is no lockstep to rely on. Without a
barrier, the reader may come before the writer, or after it, or the write may come too early for a reader that still needs
the old value. The right answer in a run says only that the order was lucky.",
        example: "
tile[tid] += tile[tid - offset];                     // reads a cell that its neighbour is writing
__syncthreads();",
        instead: "
const float addend = tile[tid - offset];
__syncthreads();                                     // everybody has read ...
tile[tid] += addend;                                 // ... before anybody writes
__syncthreads();",
        guide: "
CUDA C++ Programming Guide, \"Synchronization Functions\": `__syncthreads()` coordinates the threads of a block and avoids
read-after-write, write-after-read and write-after-write hazards. \"Independent Thread Scheduling\" for warps.",
    },
    matches: |case| {
        case.race().is_some()
            && matches!(case.raw.relation, Relation::SameBlock | Relation::SameWarp)
            && case.handoff().is_none()
    },
    say,
};

fn say(case: &Case) -> Words {
    let Some((first, second)) = case.sides() else { return Words::new("", "") };
    let within_warp = case.raw.relation == Relation::SameWarp;
    let barrier = if within_warp { "__syncwarp() or __syncthreads()" } else { "__syncthreads()" };
    let same_line = case.line(first) == case.line(second);
    let message = if same_line {
        format!(
            "{}: thread {} {} it and thread {} {} it on this line, with no barrier between the two",
            case.location(first),
            second.thread,
            super::case::does(second.action),
            first.thread,
            super::case::does(first.action),
        )
    } else {
        format!("{}, with no {barrier} between", case.who_does_what())
    };
    let advice = match (first.action, second.action) {
        (Action::Write, Action::Read) => {
            "The write can overtake the read. Separate the phase in which everybody reads from the one in which anybody writes."
        }
        (Action::Read, _) => {
            "The read can come before the write. What makes the reader wait until the writer is done?"
        }
        _ => "Both write the same place. Give each thread its own, or separate the phases.",
    };
    Words::new(message, advice)
}
