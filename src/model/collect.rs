//! Gathers violations: those at one pair of sites are one finding with a count.
//!
//! A race's evidence is put together when the launch has ended, because the telling event (a fence after the
//! announcement) may come after the race itself.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::finding::*;
use super::options::Options;
use super::record::Rec;
use super::trace::Traces;
use crate::record::Severity;
use crate::simt::{Access, Allocation, GlobalMemory, Site, Space};

/// Occurrences of a finding that are looked at for the most telling evidence, a launch.
const SAMPLES: usize = 6;

/// A race as the judge sees it.
pub(super) struct RaceSides {
    pub earlier: Rec,
    /// Lanes of `earlier` that are unordered.
    pub lanes: u32,
    pub now: Rec,
    /// Lanes of `now` that this is true of; the lowest stands for them.
    pub mine: u32,
    /// Of the word.
    pub address: u64,
    pub race: Race,
    pub update: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    kind: u8,
    first: Option<Site>,
    second: Option<Site>,
    relation: Relation,
    detail: u8,
}

#[derive(Debug)]
struct Sample {
    finding: usize,
    earlier: Rec,
    their_lane: u32,
    now: Rec,
    lane: u32,
    space: Space,
    /// Of the word.
    address: u64,
}

/// Findings so far, and what is needed to word them.
#[derive(Debug, Default)]
pub(super) struct Collector {
    pub report: Report,
    pub seed: u64,
    pub strict: bool,
    /// Rows after a verdict pass: old values are given out, and races are no news.
    pub silent: bool,
    pub early_return: Option<Severity>,
    pub barrier_skipped: Option<Severity>,
    pub allocations: Vec<Allocation>,
    /// Allocations (by index) in which a race was seen.
    pub raced: FxHashSet<usize>,
    pub raced_shared: bool,
    /// Sites of races between threads of one block.
    pub splits: BTreeSet<Site>,
    index: FxHashMap<Key, usize>,
    samples: Vec<Sample>,
    taken: FxHashMap<usize, usize>,
}

impl Collector {
    pub fn set_options(&mut self, options: &Options) {
        self.strict = options.strict;
        self.silent = options.watch.is_some();
        self.early_return = Some(options.early_return);
        self.barrier_skipped = Some(options.barrier_skipped);
    }

    /// Index of the allocation whose window holds the address.
    pub fn allocation(address: u64) -> usize {
        ((address >> GlobalMemory::WINDOW).saturating_sub(GlobalMemory::FIRST)) as usize
    }

    pub fn place(&self, space: Space, address: u64, bytes: u32) -> Place {
        place(&self.allocations, space, address, bytes)
    }

    /// Counts a violation; `make` gives the finding at its first occurrence.
    fn add(&mut self, key: Key, make: impl FnOnce(&Self) -> RawFinding) -> usize {
        if let Some(&i) = self.index.get(&key) {
            self.report.findings[i].count += 1;
            return i;
        }
        let finding = make(self);
        let i = self.report.findings.len();
        self.report.findings.push(finding);
        self.index.insert(key, i);
        i
    }

    pub fn race(&mut self, access: &Access, sides: &RaceSides) {
        let RaceSides { earlier, lanes, now, mine, address, race, update } = sides;
        let lane = mine.trailing_zeros();
        let relation = match () {
            () if earlier.block != now.block => Relation::OtherBlock,
            () if earlier.warp != now.warp => Relation::SameBlock,
            () => Relation::SameWarp,
        };
        let detail = u8::from(race.strict_only)
            | u8::from(race.same_value) << 1
            | u8::from(race.partial_overlap) << 2
            | u8::from(race.scope_too_narrow) << 3;
        let key = Key { kind: 0, first: Some(now.site), second: Some(earlier.site), relation, detail };
        let severity = match () {
            () if race.same_value => Severity::Note,
            () if race.strict_only && !self.strict => Severity::Note,
            () if relation == Relation::SameWarp => Severity::WithinWarp,
            () => Severity::Error,
        };
        if !race.strict_only {
            match access.space {
                Space::Global => {
                    self.raced.insert(Self::allocation(*address));
                }
                Space::Shared => self.raced_shared = true,
            }
            if relation != Relation::OtherBlock && !race.same_value {
                self.splits.insert(now.site);
                self.splits.insert(earlier.site);
            }
        }
        let i = self.add(key, |me| {
            let place = me.place(access.space, first_byte(*address, earlier, now), now.size());
            let theirs = me.place(access.space, first_byte(*address, now, earlier), earlier.size());
            RawFinding {
                violation: Violation::Race(*race),
                severity,
                first: side(now, 1 << lane, place),
                second: Some(side(earlier, *lanes, theirs)),
                relation,
                evidence: Evidence::default(),
                count: 1,
                seed: me.seed,
            }
        });
        self.report.findings[i].count += u64::from(mine.count_ones() - 1);
        self.report.findings[i].evidence.update |= *update;
        let taken = self.taken.entry(i).or_default();
        if *taken < SAMPLES && self.report.findings[i].evidence.handoff.is_none() {
            *taken += 1;
            self.samples.push(Sample {
                finding: i,
                earlier: *earlier,
                their_lane: lanes.trailing_zeros(),
                now: *now,
                lane,
                space: access.space,
                address: *address,
            });
        }
    }

    /// A violation other than a race.
    pub fn other(
        &mut self,
        violation: Violation,
        severity: Severity,
        first: Side,
        second: Option<Side>,
        waiting: Vec<Waiter>,
    ) {
        let (kind, detail) = match &violation {
            Violation::Race(_) => (0, 0),
            Violation::DivergentBarrier { .. } => (1, 0),
            Violation::BarrierSkipped { early, .. } => (2, u8::from(*early)),
            Violation::Bounds(_) => (3, 0),
            Violation::Uninitialised { .. } => (4, 0),
            Violation::NoProgress => (5, 0),
            Violation::StaleCounter { .. } => (6, 0),
        };
        let relation = Relation::SameThread;
        let key =
            Key { kind, first: first.site, second: second.as_ref().and_then(|s| s.site), relation, detail };
        self.add(key, |me| RawFinding {
            violation,
            severity,
            first,
            second,
            relation,
            evidence: Evidence { waiting, ..Evidence::default() },
            count: 1,
            seed: me.seed,
        });
    }

    /// The launch has ended: put the races' evidence together.
    pub fn settle(&mut self, traces: &Traces) {
        let place = |space, address, bytes| place(&self.allocations, space, address, bytes);
        for sample in self.samples.drain(..) {
            let finding = &mut self.report.findings[sample.finding];
            let evidence =
                traces.evidence((&sample.earlier, sample.their_lane), (&sample.now, sample.lane), &place);
            let better = evidence.handoff.is_some() && finding.evidence.handoff.is_none();
            let first = finding.evidence.earlier.is_empty() && finding.evidence.later.is_empty();
            if better || first {
                let update = finding.evidence.update;
                if better {
                    // The sides become those whose story is told.
                    let Sample { earlier, now, address, .. } = &sample;
                    let at = |a: &Rec, b: &Rec| place(sample.space, first_byte(*address, a, b), a.size());
                    finding.first = side(now, 1 << sample.lane, at(now, earlier));
                    finding.second = Some(side(earlier, 1 << sample.their_lane, at(earlier, now)));
                }
                finding.evidence = Evidence { update, ..evidence };
            }
        }
        self.taken.clear();
    }

    pub fn begin_launch(&mut self, memory: &GlobalMemory) {
        self.allocations = memory.allocations().cloned().collect();
    }
}

fn place(allocations: &[Allocation], space: Space, address: u64, bytes: u32) -> Place {
    match space {
        Space::Shared => Place { space, address, variable: None, offset: address, element: 0, bytes },
        Space::Global => {
            let allocation = allocations.get(Collector::allocation(address));
            Place {
                space,
                address,
                variable: allocation.map(|a| a.name.clone()),
                offset: allocation.map_or(address, |a| address.wrapping_sub(a.base)),
                element: allocation.map_or(0, |a| a.element),
                bytes,
            }
        }
    }
}

/// The first byte of the word that both touch.
fn first_byte(word: u64, a: &Rec, b: &Rec) -> u64 {
    word + u64::from((a.bytes() & b.bytes()).trailing_zeros().min(3))
}

fn side(rec: &Rec, lanes: u32, place: Place) -> Side {
    let action = match () {
        () if rec.is_atomic() => Action::Atomic,
        () if rec.is_write() => Action::Write,
        () => Action::Read,
    };
    Side {
        site: Some(rec.site),
        block: rec.block,
        thread: rec.thread(lanes),
        action,
        place: Some(place),
        volatile: rec.is_volatile(),
        scope: (rec.is_strong() && !rec.is_volatile()).then(|| rec.scope()),
    }
}
