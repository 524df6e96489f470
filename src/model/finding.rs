//! What the checker hands over: violations with both threads' evidence, not yet in anyone's words.

use crate::record::Severity;
use crate::simt::{FaultKind, Scope, Site, Space};

/// Everything that the launches watched so far gave.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// In order of first occurrence.
    pub findings: Vec<RawFinding>,
    /// What was not modelled, or why a launch did not finish: the verdict cannot be `defined`.
    pub unknown: Vec<Unmodelled>,
    /// Launches watched to their end.
    pub launches: u32,
    /// Runs begun with [`super::Checker::begin_run`].
    pub runs: u32,
    /// Data accesses judged, in warp instructions: what the cost is linear in.
    pub accesses: u64,
}

impl Report {
    /// Whether any finding is an error (or within-warp race) rather than a note.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity != Severity::Note)
    }
}

/// Something that keeps the verdict from being `defined`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmodelled {
    pub site: Option<Site>,
    pub reason: String,
    pub seed: u64,
}

/// One violation; all its occurrences at the same pair of sites.
#[derive(Debug, Clone)]
pub struct RawFinding {
    pub violation: Violation,
    pub severity: Severity,
    /// What was found second: the access (or barrier, or loop) at which the violation showed.
    pub first: Side,
    /// Its partner, earlier in the execution.
    pub second: Option<Side>,
    pub relation: Relation,
    pub evidence: Evidence,
    pub count: u64,
    /// The schedule of the first occurrence.
    pub seed: u64,
}

/// What kind of rule was broken.
#[derive(Debug, Clone, PartialEq)]
pub enum Violation {
    /// Two unordered, conflicting accesses that are not morally strong (PTX 8.7.1).
    Race(Race),
    /// Threads met at one barrier from different instructions, or wait at barriers that cannot open.
    DivergentBarrier {
        /// Nobody could run on.
        deadlock: bool,
    },
    /// A barrier opened although threads of its block had left the kernel.
    BarrierSkipped {
        /// Threads that had left.
        missing: u32,
        /// They left before any barrier of their block.
        early: bool,
    },
    /// Also misaligned accesses, and stores to read-only memory.
    Bounds(FaultKind),
    Uninitialised {
        /// Bytes of the access that nobody had written.
        bytes: u32,
        /// An asynchronous copy is to write them, and has not been waited for.
        copying: bool,
    },
    NoProgress,
    /// A ticket counter still holds an earlier launch's count, so that nobody is last.
    StaleCounter {
        /// Its value when the launch began, and how many tickets a launch takes.
        start: u64,
        tickets: u64,
    },
}

/// Facts about a race, beyond its two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Race {
    /// Ordered under the lenient clock: only the strict one sees a race.
    pub strict_only: bool,
    /// Both wrote, and wrote the same bytes.
    pub same_value: bool,
    /// Both are strong and in scope, but do not cover the same bytes.
    pub partial_overlap: bool,
    /// Both are strong, but a scope leaves the other thread out.
    pub scope_too_narrow: bool,
}

/// How the two threads are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    SameThread,
    SameWarp,
    SameBlock,
    OtherBlock,
}

/// What a side did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Read,
    Write,
    Atomic,
    Barrier,
    Exit,
    Loop,
}

/// One side of a violation.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// `None` when the launch never reached an instruction.
    pub site: Option<Site>,
    pub block: u32,
    /// Linear thread index in the block.
    pub thread: u32,
    pub action: Action,
    pub place: Option<Place>,
    pub volatile: bool,
    /// The scope of a strong access; `None` for a weak one.
    pub scope: Option<Scope>,
}

/// A memory location, by name where it has one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    pub space: Space,
    /// Device address, or offset in the block's shared memory.
    pub address: u64,
    /// Name of the global allocation; shared variables are named by [`crate::rules::Places`].
    pub variable: Option<String>,
    /// Byte offset into that allocation, or into shared memory.
    pub offset: u64,
    /// Element size of the allocation, 0 when unknown.
    pub element: u32,
    /// Bytes of the access.
    pub bytes: u32,
}

/// The two threads' own stories around a violation, oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// What the earlier side's block did after its access: fences, announcements, barriers.
    pub earlier: Vec<TraceEvent>,
    /// What the later side's block did before its access.
    pub later: Vec<TraceEvent>,
    /// Indices into `earlier` and `later`: an announcement after the one access and an observation of the same
    /// location before the other. What a hand-off hangs on.
    pub handoff: Option<(usize, usize)>,
    /// For barriers and deadlocks: who waits where (or left where).
    pub waiting: Vec<Waiter>,
    /// The earlier side had read the location before it wrote it, or the later one did: an update in two steps.
    pub update: bool,
}

/// Threads of one warp that wait at (or left from) one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiter {
    pub site: Site,
    pub block: u32,
    pub warp: u32,
    pub mask: u32,
    pub what: WaitsFor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitsFor {
    BlockBarrier(u32),
    WarpBarrier,
    Left,
}

/// Something a thread did that orders, or tries to.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceEvent {
    pub step: Step,
    pub site: Site,
    pub block: u32,
    /// Linear index of the first thread concerned.
    pub thread: u32,
    /// The accessed location, where it is an access.
    pub place: Option<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    Fence(Scope),
    /// Read-modify-write, with its scope, and whether it acquires and releases by itself.
    Atomic {
        scope: Scope,
        acquire: bool,
        release: bool,
        reduction: bool,
    },
    /// `st.relaxed`, `st.release`.
    StrongStore {
        scope: Scope,
        release: bool,
    },
    /// `ld.relaxed`, `ld.acquire`.
    StrongLoad {
        scope: Scope,
        acquire: bool,
    },
    VolatileStore,
    VolatileLoad,
    BlockBarrier,
    WarpBarrier,
}
