//! An update in two steps, from several threads at once.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::Action;

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "missing-atomic",
        summary: "Several threads update one location with plain loads and stores.",
        what: "
Several threads read, change and write one location with ordinary instructions (`x += 1`) at once, or one of them uses an
atomic and the other, in another block, does not.",
        why: "
A plain update is a load and a store. Two threads may both load the old value, and one of the two updates is lost. An atomic
on one side does not help: the plain access on the other side is still a race with it.",
        example: "
count[0] += 1;                                       // from every thread",
        instead: "
atomicAdd(&count[0], 1);                             // by everybody who touches it",
        guide: "
CUDA C++ Programming Guide, \"Atomic Functions\": a read-modify-write without interference from other threads. PTX ISA,
\"Data Races\": conflicting accesses that are neither ordered nor both strong.",
    },
    matches: |case| {
        let Some((first, second)) = case.sides() else { return false };
        if case.race().is_none() || case.handoff().is_some() || first.volatile || second.volatile {
            return false;
        }
        let atomic = |a: Action| a == Action::Atomic;
        let mixed = case.is_race_across_blocks() && atomic(first.action) != atomic(second.action);
        let updates = |side| {
            let line = case.line(side);
            side.action == Action::Write && case.updates.contains(&(line.file, line.line))
        };
        mixed || updates(first) || updates(second)
    },
    say,
};

fn say(case: &Case) -> Words {
    Words::new(
        format!("{}: the two are neither ordered nor both atomic", case.who_does_what()),
        "How many threads may change this location at once? An update by several needs one indivisible operation, \
         used by all of them.",
    )
}
