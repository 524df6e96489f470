//! The shortest story that shows a finding: who stored, who announced, who read what.

use super::case::{Case, thread};
use crate::model::{Action, Relation, Side, Step, TraceEvent, Violation};
use crate::record::{SourceLine, Witness, WitnessEdge, WitnessStep};

/// The timeline of a race, or of a barrier that not everybody reached; other findings have one place and no story.
pub(super) fn witness(case: &Case) -> Option<Witness> {
    match case.raw.violation {
        Violation::Race(_) => race(case),
        Violation::DivergentBarrier { .. } | Violation::BarrierSkipped { .. } => meeting(case),
        _ => None,
    }
}

struct Story<'a, 'b> {
    case: &'a Case<'b>,
    lanes: Vec<String>,
    steps: Vec<WitnessStep>,
    edges: Vec<WitnessEdge>,
}

impl Story<'_, '_> {
    fn step(&mut self, lane: usize, kind: &str, label: String, at: SourceLine) -> usize {
        self.steps.push(WitnessStep { lane, kind: kind.to_owned(), label, at });
        self.steps.len() - 1
    }

    fn access(&mut self, lane: usize, side: &Side) -> usize {
        let at = self.case.line(side);
        let location = self.case.location(side);
        let (kind, label) = match side.action {
            Action::Write => ("store", format!("writes {location}")),
            Action::Atomic => ("atomic", format!("updates {location}")),
            _ => ("load", format!("reads {location}")),
        };
        self.step(lane, kind, label, at)
    }

    fn event(&mut self, lane: usize, event: &TraceEvent, kind: &str) -> usize {
        let at = self.case.places.line(event.site);
        let place = self.case.event_location(event);
        let label = match event.step {
            Step::Fence(scope) => match scope {
                crate::simt::Scope::Cta | crate::simt::Scope::Cluster => "fence for the block".to_owned(),
                crate::simt::Scope::Gpu => "fence for the device".to_owned(),
                crate::simt::Scope::Sys => "fence for the system".to_owned(),
            },
            Step::BlockBarrier => "block barrier".to_owned(),
            Step::WarpBarrier => "warp barrier".to_owned(),
            Step::VolatileStore => format!("volatile write of {place}"),
            Step::VolatileLoad => format!("volatile read of {place}"),
            _ if kind == "announce" => format!("announces through {place}"),
            _ if kind == "observe" => format!("sees {place}"),
            _ => format!("atomic on {place}"),
        };
        self.step(lane, kind, label, at)
    }

    fn edge(&mut self, from: usize, to: usize, present: bool, label: &str) {
        self.edges.push(WitnessEdge { from, to, present, label: label.to_owned() });
    }

    fn finish(self, ending: &str) -> Option<Witness> {
        let mut story = String::new();
        for step in &self.steps {
            let line = if step.at.line > 0 { format!(" (line {})", step.at.line) } else { String::new() };
            story.push_str(&format!("{} {}{line}. ", upper(&self.lanes[step.lane]), verb(step)));
        }
        story.push_str(ending);
        Some(Witness { lanes: self.lanes, steps: self.steps, edges: self.edges, story })
    }
}

fn verb(step: &WitnessStep) -> String {
    match step.kind.as_str() {
        "fence" => format!("executes a {}", step.label),
        "barrier" => format!("passes a {}", step.label),
        "exit" | "wait" => step.label.clone(),
        _ if step.label.starts_with("volatile") => format!("does a {}", step.label),
        _ => step.label.clone(),
    }
}

fn upper(text: &str) -> String {
    text.get(..1).map_or_else(String::new, |c| c.to_uppercase() + &text[1..])
}

fn race(case: &Case) -> Option<Witness> {
    let (now, earlier) = case.sides()?;
    let lanes = match case.raw.relation {
        Relation::OtherBlock => vec![format!("block {}", earlier.block), format!("block {}", now.block)],
        _ if earlier.thread != now.thread => {
            vec![format!("thread {}", earlier.thread), format!("thread {}", now.thread)]
        }
        _ => vec![thread(earlier.block, earlier.thread)],
    };
    let other = lanes.len() - 1;
    let mut story = Story { case, lanes, steps: Vec::new(), edges: Vec::new() };
    let stored = story.access(0, earlier);
    let Some(handoff) = case.handoff() else {
        let read = story.access(other, now);
        let missing = match case.raw.relation {
            Relation::OtherBlock => "nothing orders these",
            _ => "no barrier between these",
        };
        story.edge(stored, read, false, missing);
        let ending = match now.action {
            Action::Read => "Nothing orders the two: the read may give the old value or the new one.",
            Action::Write if earlier.action == Action::Read => {
                "Nothing orders the two: the write may come before the read."
            }
            _ => "Nothing orders the two: either may be the last.",
        };
        return story.finish(ending);
    };
    let mut last = stored;
    if let Some(fence) = handoff.before.last() {
        last = story.event(0, fence, "fence");
        story.edge(stored, last, true, "before the fence");
    }
    let announced = story.event(0, handoff.announcement, "announce");
    if last != stored {
        story.edge(last, announced, true, "before the announcement");
    }
    let late = match (handoff.before.is_empty(), handoff.after.first()) {
        (true, Some(fence)) => Some(story.event(0, fence, "fence")),
        _ => None,
    };
    if let Some(late) = late {
        story.edge(stored, late, true, "only before this");
    }
    let observed = story.event(other, handoff.observation, "observe");
    story.edge(announced, observed, true, "seen");
    let acquired = handoff.consumer.first().map(|fence| story.event(other, fence, "fence"));
    let read = story.access(other, now);
    story.edge(acquired.unwrap_or(observed), read, true, "then");
    let strict_only = case.race().is_some_and(|r| r.strict_only);
    let (from, to, label, ending) = if strict_only && acquired.is_none() {
        (
            observed,
            read,
            "announcement before read",
            "By the letter of the model the read need not wait for what was seen.",
        )
    } else if handoff.released() && !handoff.acquired() {
        (
            observed,
            read,
            "announcement before read",
            "The read may be done before the announcement is seen, and give the old value.",
        )
    } else {
        (
            stored,
            announced,
            "store before announcement",
            "The announcement can be seen before the store: the read may give the old value.",
        )
    };
    story.edge(from, to, false, label);
    if (from, to) != (stored, read) {
        story.edge(stored, read, false, "and so store before read");
    }
    story.finish(ending)
}

fn meeting(case: &Case) -> Option<Witness> {
    let first = &case.raw.first;
    let second = case.raw.second.as_ref()?;
    let lanes = vec![format!("thread {}", second.thread), format!("thread {}", first.thread)];
    let mut story = Story { case, lanes, steps: Vec::new(), edges: Vec::new() };
    let at = case.line(second);
    let one = match second.action {
        Action::Exit => story.step(0, "exit", "leaves the kernel".to_owned(), at),
        _ => story.step(0, "wait", "waits at a barrier".to_owned(), at),
    };
    let at = case.line(first);
    let two = story.step(1, "wait", "waits at a barrier".to_owned(), at);
    story.edge(one, two, false, "not the same barrier");
    story.finish("They never meet at one barrier.")
}
