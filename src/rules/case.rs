//! A raw finding together with the names that put it into words.

use super::explain::SourceKey;
use super::places::Places;
use crate::model::{Action, Race, RawFinding, Relation, Side, Step, TraceEvent, Violation};
use crate::record::{AccessNote, SourceLine};
use crate::simt::{FaultKind, Scope, Site, Space};

/// A finding about to be explained.
pub(super) struct Case<'a> {
    pub raw: &'a RawFinding,
    pub places: &'a dyn Places,
    /// Lines at which several threads update one place in two steps.
    pub updates: &'a [SourceKey],
}

impl Case<'_> {
    pub fn race(&self) -> Option<&Race> {
        match &self.raw.violation {
            Violation::Race(race) => Some(race),
            _ => None,
        }
    }

    /// Both sides of a race.
    pub fn sides(&self) -> Option<(&Side, &Side)> {
        Some((&self.raw.first, self.raw.second.as_ref()?))
    }

    /// A race on data that is handed on: neither side is itself the announcement.
    pub fn handoff(&self) -> Option<Handoff<'_>> {
        let evidence = &self.raw.evidence;
        let (announced, observed) = evidence.handoff?;
        let (first, second) = self.sides()?;
        let in_block = self.raw.relation != Relation::OtherBlock;
        if second.action == Action::Atomic || (in_block && first.action == Action::Atomic) {
            return None;
        }
        let fences = |events: &[TraceEvent]| {
            events.iter().filter_map(|e| matches!(e.step, Step::Fence(_)).then_some(e.clone())).collect()
        };
        Some(Handoff {
            in_block,
            announcement: evidence.earlier.get(announced)?,
            observation: evidence.later.get(observed)?,
            before: fences(&evidence.earlier[..announced]),
            after: fences(&evidence.earlier[announced + 1..]),
            consumer: fences(&evidence.later[observed + 1..]),
        })
    }

    pub fn is_race_across_blocks(&self) -> bool {
        self.race().is_some() && self.raw.relation == Relation::OtherBlock
    }

    /// `line 42`, or `line 42 of other.cu` for a line that is not in the first side's file.
    pub fn at(&self, site: Site) -> String {
        let line = self.places.line(site);
        let home = self.raw.first.site.map(|s| self.places.line(s).file);
        match home {
            Some(file) if file != line.file && !line.file.is_empty() => {
                format!("line {} of {}", line.line, line.file)
            }
            _ => format!("line {}", line.line),
        }
    }

    pub fn side_at(&self, side: &Side) -> String {
        side.site.map_or_else(|| "an unknown line".to_owned(), |site| self.at(site))
    }

    pub fn line(&self, side: &Side) -> SourceLine {
        match side.site {
            Some(site) => self.places.line(site),
            None => SourceLine {
                file: String::new(),
                line: 0,
                column: 0,
                text: String::new(),
                inlined_from: Vec::new(),
            },
        }
    }

    /// `partials[17]`, `tile[3]`, or what is known of the address.
    pub fn location(&self, side: &Side) -> String {
        let Some(place) = &side.place else { return self.out_of_bounds() };
        let (name, offset, element, whole) = match place.space {
            Space::Global => {
                let Some(name) = &place.variable else {
                    return format!("global memory at {:#x}", place.address);
                };
                (name.clone(), place.offset, place.element, 0)
            }
            Space::Shared => match self.places.shared_variable(place.offset) {
                Some(v) => (v.name, place.offset - v.offset, v.element, v.bytes),
                None => return format!("shared memory at byte {}", place.offset),
            },
        };
        let element = u64::from(element.max(1));
        if whole == element && offset == 0 {
            return name;
        }
        format!("{name}[{}]", offset / element)
    }

    /// The element that an access out of bounds would have had.
    fn out_of_bounds(&self) -> String {
        match &self.raw.violation {
            Violation::Bounds(FaultKind::OutOfBounds { variable: Some(name), offset, element, .. }) => {
                format!("{name}[{}]", offset.div_euclid(i64::from((*element).max(1))))
            }
            _ => String::new(),
        }
    }

    /// Only the variable's name.
    pub fn variable(&self, side: &Side) -> String {
        let location = self.location(side);
        match location.split_once('[') {
            Some((name, _)) => name.to_owned(),
            None => location,
        }
    }

    /// The announcement's (or observation's) variable.
    pub fn event_location(&self, event: &TraceEvent) -> String {
        let side = Side {
            site: Some(event.site),
            block: event.block,
            thread: event.thread,
            action: Action::Atomic,
            place: event.place.clone(),
            volatile: false,
            scope: None,
        };
        self.location(&side)
    }

    pub fn note(&self, side: &Side) -> AccessNote {
        AccessNote {
            action: action(side.action).to_owned(),
            location: self.location(side),
            space: match side.place.as_ref().map(|p| p.space) {
                Some(Space::Global) => "global".to_owned(),
                Some(Space::Shared) => "shared".to_owned(),
                None => String::new(),
            },
            thread: thread(side.block, side.thread),
            at: self.line(side),
        }
    }

    /// The two sides of a race in one half sentence: `block 3 reads partials[1] (line 9), which block 1 writes (line 4)`.
    pub fn who_does_what(&self) -> String {
        let Some((first, second)) = self.sides() else { return String::new() };
        let (reader, writer) = (self.who(first), self.who(second));
        format!(
            "{reader} {} {} ({}), which {writer} {} ({})",
            does(first.action),
            self.location(first),
            self.side_at(first),
            does(second.action),
            self.side_at(second),
        )
    }

    /// The thread as far as it matters for this pair.
    pub fn who(&self, side: &Side) -> String {
        match self.raw.relation {
            Relation::OtherBlock => format!("block {}", side.block),
            _ => format!("thread {}", side.thread),
        }
    }
}

/// How one thread's data is meant to reach another: announced after the one access, observed before the other.
pub(super) struct Handoff<'a> {
    /// Both threads are of one block, so that any scope reaches.
    pub in_block: bool,
    pub announcement: &'a TraceEvent,
    pub observation: &'a TraceEvent,
    /// Fences of the announcing side between the access and the announcement.
    pub before: Vec<TraceEvent>,
    /// … after the announcement.
    pub after: Vec<TraceEvent>,
    /// Fences of the observing side after the observation.
    pub consumer: Vec<TraceEvent>,
}

impl Handoff<'_> {
    pub fn is_volatile(&self) -> bool {
        matches!(self.announcement.step, Step::VolatileStore)
            || matches!(self.observation.step, Step::VolatileLoad)
    }

    /// Whether the event's scope includes the other thread.
    fn reaches(&self, event: &TraceEvent) -> bool {
        self.in_block || is_wide(scope(event))
    }

    /// One of announcement and observation that does not reach the other thread.
    pub fn narrow_event(&self) -> Option<&TraceEvent> {
        [self.announcement, self.observation].into_iter().find(|e| !self.reaches(e))
    }

    /// How many fences were seen on either side.
    pub fn fences(&self) -> usize {
        self.before.len() + self.after.len() + self.consumer.len()
    }

    pub fn released(&self) -> bool {
        let itself = matches!(
            self.announcement.step,
            Step::Atomic { release: true, .. } | Step::StrongStore { release: true, .. }
        );
        itself || self.before.iter().any(|f| self.reaches(f))
    }

    pub fn acquired(&self) -> bool {
        let itself = matches!(
            self.observation.step,
            Step::Atomic { acquire: true, .. } | Step::StrongLoad { acquire: true, .. }
        );
        itself || self.consumer.iter().any(|f| self.reaches(f))
    }
}

fn scope(event: &TraceEvent) -> Scope {
    match event.step {
        Step::Fence(scope)
        | Step::Atomic { scope, .. }
        | Step::StrongStore { scope, .. }
        | Step::StrongLoad { scope, .. } => scope,
        _ => Scope::Sys,
    }
}

pub(super) fn is_wide(scope: Scope) -> bool {
    matches!(scope, Scope::Gpu | Scope::Sys)
}

pub(super) fn thread(block: u32, thread: u32) -> String {
    format!("block {block}, thread {thread}")
}

pub(super) fn action(action: Action) -> &'static str {
    match action {
        Action::Read => "read",
        Action::Write => "write",
        Action::Atomic => "atomic",
        Action::Barrier => "barrier",
        Action::Exit => "exit",
        Action::Loop => "loop",
    }
}

pub(super) fn does(action: Action) -> &'static str {
    match action {
        Action::Read => "reads",
        Action::Write => "writes",
        Action::Atomic => "updates atomically",
        Action::Barrier => "waits at",
        Action::Exit => "leaves at",
        Action::Loop => "loops at",
    }
}
