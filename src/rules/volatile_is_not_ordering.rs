//! `volatile` where a fence or an atomic is needed.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "volatile-is-not-ordering",
        summary: "A `volatile` access is used to synchronise threads.",
        what: "
Two threads communicate through `volatile` accesses: as a flag, or to share the data itself.",
        why: "
`volatile` makes the compiler emit every access; it does not order that access against the thread's other ones, and CUDA
C++ does not count it as synchronisation: two volatile accesses race like plain ones. (PTX treats it as a relaxed access of
system scope; `--model ptx` judges by that rule. Old values of other data stay possible either way.)",
        example: "
data[0] = 42;
*(volatile int*)flag = 1;                            // the reader may see the flag first",
        instead: "
data[0] = 42;
__threadfence();
atomicExch(flag, 1);                                 // or cuda::atomic_ref with release and acquire",
        guide: "
CUDA C++ Programming Guide, \"Volatile Qualifier\": volatile gives no atomicity and no ordering, and is not for
synchronisation between threads. PTX ISA, \"Volatile Operations\".",
    },
    matches: |case| {
        let Some((first, second)) = case.sides() else { return false };
        let data = first.volatile || second.volatile;
        let volatile = match case.handoff() {
            Some(handoff) if handoff.is_volatile() => true,
            // Where there are fences, the story is which one is missing, late or too narrow.
            Some(handoff) => data && !handoff.released() && handoff.fences() == 0,
            None => data,
        };
        case.race().is_some_and(|r| !r.strict_only) && volatile
    },
    say,
};

fn say(case: &Case) -> Words {
    let advice = "volatile only keeps the compiler from dropping the access. What orders it against the accesses around it?";
    let flag = case.handoff().filter(|h| h.is_volatile());
    let on_flag = case.sides().is_some_and(|(a, b)| a.volatile || b.volatile);
    match flag {
        Some(h) if !on_flag => Words::new(
            format!(
                "{}: the volatile access to {} ({}) announces nothing",
                case.who_does_what(),
                case.event_location(h.announcement),
                case.at(h.announcement.site),
            ),
            advice,
        ),
        _ => Words::new(format!("{}: volatile orders nothing", case.who_does_what()), advice),
    }
}
