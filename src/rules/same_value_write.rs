//! Several threads store the same value to one place.

use super::page::Page;
use super::rule::{Rule, Words};

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "same-value-write",
        summary: "Several threads write the same value to one location at once.",
        what: "
Two unordered plain stores to the same bytes that happen to store the same value, such as a flag that every thread sets.",
        why: "
It is a data race by the letter of the model, and harmless in practice on every GPU: whichever store wins, the value is the
same. So it is a note. It becomes an error as soon as two of the values can differ.",
        example: "
if (value > limit) { found[0] = 1; }                 // by any number of threads",
        instead: "
if (value > limit) { atomicOr(found, 1u); }          // or let one thread decide after a __syncthreads_or()",
        guide: "
CUDA C++ Programming Guide, \"SIMT Architecture\": when lanes of a warp write one location with a non-atomic instruction, how
many writes happen and which is last is undefined. PTX ISA, \"Data Races\".",
    },
    matches: |case| case.race().is_some_and(|r| r.same_value),
    say: |case| {
        Words::new(
            format!("{}: both store the same value, which is harmless as long as it is the same", case.who_does_what()),
            "Can the two values ever differ? If so, let one thread write, or use an atomic.",
        )
    },
};
