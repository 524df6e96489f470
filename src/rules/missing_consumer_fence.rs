//! The reader's side of a hand-off has no fence.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::{Action, Step};

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "missing-consumer-fence",
        summary: "The announcement is published properly, but the reader does not acquire it.",
        what: "
The producer fences and announces; the consumer observes the announcement and reads the data, with no fence between the
observation and the read. After an atomic read-modify-write, such as drawing a ticket, this is a note; after a relaxed load,
and after a compare-and-swap that takes a lock, it is an error. `--strict` makes it an error always.",
        why: "
By the letter of PTX a hand-off has two halves, a release and an acquire, and a relaxed atomic is not an acquire: the reads
below it could be done early. NVIDIA's own shipped sample of this pattern (threadFenceReduction) has no fence on the
reader's side, the guide's example neither, and no GPU is known to break it after a ticket whose value decides whether to
read. So there it is shown, and never costs points. Locks are another matter: a critical section whose accesses move up
above the taking of the lock has been seen to break on real GPUs, with the lock of a well-known textbook.",
        example: "
const bool last = atomicAdd(counter, 1u) == gridDim.x - 1u;
if (last) { sum = partials[i]; }                     // nothing acquires",
        instead: "
const bool last = atomicAdd(counter, 1u) == gridDim.x - 1u;
__threadfence();                                     // or fetch_add with memory_order_acq_rel
if (last) { sum = partials[i]; }

while (atomicCAS(lock, 0, 1) != 0) {}
__threadfence();                                     // nothing of the critical section may be done above this
shared_total += x;
__threadfence();
atomicExch(lock, 0);",
        guide: "
PTX ISA, \"Release and Acquire Patterns\": an acquire pattern is an acquire operation, or a strong read followed by a fence.
CUDA samples, threadFenceReduction: the shipped code without it. Alglave et al., \"GPU Concurrency: Weak Behaviours and
Programming Assumptions\" (ASPLOS 2015): locks without fences, tried on hardware.",
    },
    matches: |case| {
        let Some(race) = case.race() else { return false };
        let unacquired = |h: super::case::Handoff| {
            h.released() && !h.acquired() && h.consumer.is_empty() && !h.is_volatile() && h.narrow_event().is_none()
        };
        race.strict_only || case.handoff().is_some_and(unacquired)
    },
    say,
};

fn say(case: &Case) -> Words {
    let strict_only = case.race().is_some_and(|r| r.strict_only);
    let story = case.who_does_what();
    if strict_only && case.handoff().is_some_and(|h| h.acquired()) {
        return Words::new(
            format!(
                "{story}: the storing thread fences, but another thread announces, with no fence of its own after the barrier"
            ),
            "By the letter of PTX the thread that announces has to fence, after the barrier and before the announcement.",
        );
    }
    let observed = case.handoff().map_or(String::new(), |h| {
        format!(
            " after it saw the announcement through {} ({})",
            case.event_location(h.observation),
            case.at(h.observation.site)
        )
    });
    let end = if strict_only {
        "NVIDIA's shipped sample omits that fence too, so this is only a note"
    } else {
        match case.handoff().map(|h| h.observation.step) {
            Some(Step::Atomic { .. }) => {
                "taking a lock with a compare-and-swap does not keep what follows below it"
            }
            _ => "a relaxed load does not acquire",
        }
    };
    let first = &case.raw.first;
    let (who, what) = match first.action {
        Action::Read => ("the reader".to_owned(), "reads"),
        _ => (case.who(first), "accesses"),
    };
    Words::new(
        format!("{story}: {who} has no fence{observed}; {end}"),
        format!(
            "A hand-off has two halves. What keeps the {what} below the observation from being done above it?"
        ),
    )
}
