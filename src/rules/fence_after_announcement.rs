//! The fence is there, but below the atomic that announces the data.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "fence-after-announcement",
        summary: "The fence stands after the atomic that announces the data, where it orders nothing that matters.",
        what: "
A thread stores data, announces it with an atomic (or a flag), and executes its fence only then. Another block observes
the announcement and reads the data.",
        why: "
A fence orders what its own thread did before it against what that thread does after it. With the announcement above the
fence, store and announcement are both on the same side: their order is as free as with no fence at all. It is not a
weaker fix; it is the same bug.",
        example: "
partials[blockIdx.x] = sum;
const unsigned ticket = atomicAdd(counter, 1u);
__threadfence();                                     // too late: the ticket is out",
        instead: "
partials[blockIdx.x] = sum;
__threadfence();
const unsigned ticket = atomicAdd(counter, 1u);",
        guide: "
CUDA C++ Programming Guide, \"Memory Fence Functions\": writes before the fence are observed before writes after it.
PTX ISA, \"Release and Acquire Patterns\": the fence precedes the strong write in program order.",
    },
    matches: |case| {
        case.handoff().is_some_and(|h| !h.released() && h.before.is_empty() && !h.after.is_empty())
    },
    say,
};

fn say(case: &Case) -> Words {
    let (announcement, fence) = match case.handoff() {
        Some(h) => (
            format!("{} ({})", case.event_location(h.announcement), case.at(h.announcement.site)),
            h.after.first().map_or(String::new(), |f| case.at(f.site)),
        ),
        None => Default::default(),
    };
    Words::new(
        format!(
            "{}: the announcement through {announcement} comes before the fence ({fence}), so the fence does not order the store against it",
            case.who_does_what(),
        ),
        "Which two operations must stay in this order for the other block? The fence belongs between exactly those.",
    )
}
