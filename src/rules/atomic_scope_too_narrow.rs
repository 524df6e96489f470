//! A block-scope atomic on a location that several blocks use.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::Relation;

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "atomic-scope-too-narrow",
        summary: "An atomic whose scope is one block is used on a location that several blocks touch.",
        what: "
Two blocks touch one location with atomics (or other strong operations), and the scope of at least one of them is the
block: `atomicAdd_block`, `cuda::thread_scope_block`.",
        why: "
A block-scope atomic is indivisible for the threads of its block only. Threads of another block may read the old value in
the middle of it: increments get lost, two blocks draw the same ticket, and what the atomic seemed to announce is announced
to nobody else. Both scopes have to include the other thread; one wide atomic does not repair a narrow one.",
        example: "
atomicAdd_block(counter, 1u);                        // from every block of the grid",
        instead: "
atomicAdd(counter, 1u);                              // device scope; or count per block first, then add once",
        guide: "
CUDA C++ Programming Guide, \"Atomic Functions\": the _block suffix makes a function atomic at block scope only. PTX ISA,
\"Morally Strong Operations\": each operation specifies a scope that includes the thread executing the other one.",
    },
    matches: |case| {
        let race = case.race().is_some_and(|r| r.scope_too_narrow);
        race || (case.raw.relation == Relation::OtherBlock
            && case.race().is_some_and(|r| !r.strict_only)
            && case.handoff().is_some_and(|h| !h.is_volatile() && h.narrow_event().is_some()))
    },
    say,
};

fn say(case: &Case) -> Words {
    let advice =
        "Which threads use this location? The atomic's scope has to include all of them, on both sides.";
    if case.race().is_some_and(|r| r.scope_too_narrow) {
        return Words::new(
            format!("{}: an atomic of block scope is not atomic for the other block", case.who_does_what()),
            advice,
        );
    }
    let through = case
        .handoff()
        .and_then(|h| h.narrow_event().map(|e| format!("{} ({})", case.event_location(e), case.at(e.site))));
    Words::new(
        format!(
            "{}: the two meet at {}, whose atomic has block scope, so nothing is handed to another block",
            case.who_does_what(),
            through.unwrap_or_default(),
        ),
        advice,
    )
}
