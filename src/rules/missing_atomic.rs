//! An update in two steps, from several blocks at once.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::Action;

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "missing-atomic",
        summary: "Several blocks update one location with plain loads and stores.",
        what: "
Threads of different blocks read, change and write one location with ordinary instructions (`x += 1`), or one of them uses
an atomic and the other does not.",
        why: "
A plain update is a load and a store. Two blocks may both load the old value, and one of the two updates is lost. An atomic
on one side does not help: the plain access on the other side is still a race with it.",
        example: "
count[0] += 1;                                       // from every block",
        instead: "
atomicAdd(&count[0], 1);                             // by everybody who touches it",
        guide: "
CUDA C++ Programming Guide, \"Atomic Functions\": a read-modify-write without interference from other threads. PTX ISA,
\"Data Races\": conflicting accesses that are neither ordered nor both strong.",
    },
    matches: |case| {
        let Some((first, second)) = case.sides() else { return false };
        if !case.is_race_across_blocks() || case.handoff().is_some() || first.volatile || second.volatile {
            return false;
        }
        let atomic = |a: Action| a == Action::Atomic;
        let mixed = atomic(first.action) != atomic(second.action);
        let both_write = first.action == Action::Write && second.action == Action::Write;
        let same_line = case.line(first) == case.line(second);
        mixed || ((case.raw.evidence.update || case.update_nearby) && (both_write || same_line))
    },
    say,
};

fn say(case: &Case) -> Words {
    Words::new(
        format!("{}: the two are neither ordered nor both atomic", case.who_does_what()),
        "How many threads of the grid may change this location at once? An update by several needs one indivisible operation, \
         used by all of them.",
    )
}
