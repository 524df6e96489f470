//! A block fence where the reader is in another block.

use super::case::{Case, is_wide};
use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::{Relation, Step};

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "fence-scope-too-narrow",
        summary: "The fence between store and announcement covers one block, but another block reads.",
        what: "
The data's path goes through a fence in the right place, but its scope is the block (`__threadfence_block()`,
`cuda::thread_scope_block`), while the thread that reads the data is in another block.",
        why: "
A fence orders memory operations for the threads in its scope. For a thread outside it, the fence is not there: a release
and an acquire only meet when each one's scope includes the other's thread.",
        example: "
partials[blockIdx.x] = sum;
__threadfence_block();
atomicAdd(counter, 1u);                              // read by other blocks",
        instead: "
partials[blockIdx.x] = sum;
__threadfence();
atomicAdd(counter, 1u);",
        guide: "
CUDA C++ Programming Guide, \"Memory Fence Functions\": `__threadfence_block()` speaks of the calling thread's block,
`__threadfence()` of the device. PTX ISA, \"Scope\" and \"Morally Strong Operations\".",
    },
    matches: |case| {
        case.raw.relation == Relation::OtherBlock
            && case.handoff().is_some_and(|h| {
                let narrow = |step: &Step| matches!(step, Step::Fence(s) if !is_wide(*s));
                let producer = !h.released() && h.before.iter().any(|f| narrow(&f.step));
                let consumer = h.released() && !h.acquired() && h.consumer.iter().any(|f| narrow(&f.step));
                producer || consumer
            })
    },
    say,
};

fn say(case: &Case) -> Words {
    let narrow = case.handoff().and_then(|h| {
        let fences = h.before.iter().chain(&h.consumer);
        fences.clone().find(|f| matches!(f.step, Step::Fence(s) if !is_wide(s))).map(|f| case.at(f.site))
    });
    Words::new(
        format!(
            "{}: the fence between them ({}) is for one block only, and the two are in different blocks",
            case.who_does_what(),
            narrow.unwrap_or_default(),
        ),
        "Who has to see this store: the threads of the block, or of the whole device? Choose the fence by its reader.",
    )
}
