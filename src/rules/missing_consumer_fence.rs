//! The reader's side of a hand-off has no fence.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "missing-consumer-fence",
        summary: "The announcement is published properly, but the reader does not acquire it.",
        what: "
The producer fences and announces; the consumer observes the announcement and reads the data, with no fence between the
observation and the read. After an atomic read-modify-write this is a note; after a relaxed load it is an error. `--strict`
makes it an error always.",
        why: "
By the letter of PTX a hand-off has two halves, a release and an acquire, and a relaxed atomic is not an acquire: the reads
below it could be done early. NVIDIA's own shipped sample of this pattern (threadFenceReduction) has no fence on the
reader's side, the guide's example neither, and no GPU is known to break it after an atomic whose result decides whether to
read. So it is shown, and never costs points.",
        example: "
const bool last = atomicAdd(counter, 1u) == gridDim.x - 1u;
if (last) { sum = partials[i]; }                     // nothing acquires",
        instead: "
const bool last = atomicAdd(counter, 1u) == gridDim.x - 1u;
__threadfence();                                     // or fetch_add with memory_order_acq_rel
if (last) { sum = partials[i]; }",
        guide: "
PTX ISA, \"Release and Acquire Patterns\": an acquire pattern is an acquire operation, or a strong read followed by a fence.
CUDA samples, threadFenceReduction: the shipped code without it.",
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
        "a relaxed load does not acquire"
    };
    Words::new(
        format!("{story}: the reader has no fence{observed}; {end}"),
        "A hand-off has two halves. What keeps the reads below the observation from being done above it?",
    )
}
