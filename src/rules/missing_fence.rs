//! Data is handed to another block, and nothing makes it visible before the announcement.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "missing-fence",
        summary: "Data goes from one block to another with no fence between the store and its announcement.",
        what: "
Two threads that no barrier can order (they are in different blocks, or one waits for the other's flag) touch the same
bytes, at least one of them writes, and no fence stands between the write and whatever tells the other thread that the
data is there.",
        why: "
An atomic is indivisible, but by itself it orders nothing else. The store before it may still sit in a cache or a
buffer when another block already sees the atomic's new value. That block then reads what was there before. On most
GPUs and most days the store wins the race, so a run shows nothing; the memory model still calls it a data race, and its
result undefined.",
        example: "
partials[blockIdx.x] = sum;
const unsigned ticket = atomicAdd(counter, 1u);      // announces a store that may not have arrived",
        instead: "
partials[blockIdx.x] = sum;
__threadfence();                                     // the store is visible to the device before ...
const unsigned ticket = atomicAdd(counter, 1u);      // ... the ticket is",
        guide: "
CUDA C++ Programming Guide, \"Memory Fence Functions\": its sum example has this very fence, and says that without it the
counter may be incremented before the partial sum is stored. PTX ISA, \"Release and Acquire Patterns\": a release pattern
is a fence followed by a strong write.",
    },
    // The last of the race rules: across blocks nothing else fits, in a block a flag was used.
    matches: |case| case.is_race_across_blocks() || (case.race().is_some() && case.handoff().is_some()),
    say,
};

fn say(case: &Case) -> Words {
    let story = case.who_does_what();
    match case.handoff() {
        Some(h) => Words::new(
            format!(
                "{story}: {} announces it through {} ({}), and no fence stands between the store and the announcement",
                case.raw.second.as_ref().map_or(String::new(), |s| case.who(s)),
                case.event_location(h.announcement),
                case.at(h.announcement.site),
            ),
            "Ask what makes the store visible to other blocks before they can see the announcement; an atomic alone does not.",
        ),
        None => Words::new(
            format!("{story}: nothing orders the two"),
            "__syncthreads() reaches one block only. Data for another block needs a fence and an announcement that the \
             other block waits for, or a second launch.",
        ),
    }
}
