//! What the embedder chooses: how strictly to judge, and how nasty an execution to produce.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::record::Severity;
use crate::simt::Site;

/// Everything a [`super::Checker`] can be told before it watches a launch.
#[derive(Debug, Clone)]
pub struct Options {
    /// Turns what only the strict clock finds (`missing-consumer-fence`) from a note into an error.
    pub strict: bool,
    pub volatile: VolatileRule,
    pub adversary: Adversary,
    /// Watch only accesses of these sites, to give out old values, and report no races: the verdict pass has. `None`
    /// watches and judges all. See [`super::WatchPlan`].
    pub watch: Option<BTreeSet<Site>>,
    /// Sites at which the device should let a warp's lanes drift apart.
    pub splits: BTreeSet<Site>,
    /// Severity of `barrier-skipped` when the missing threads returned before any barrier of their block.
    pub early_return: Severity,
    /// Severity of `barrier-skipped` otherwise.
    pub barrier_skipped: Severity,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strict: false,
            volatile: VolatileRule::Cuda,
            adversary: Adversary::Off,
            watch: None,
            splits: BTreeSet::new(),
            early_return: Severity::Error,
            barrier_skipped: Severity::Error,
        }
    }
}

/// What `volatile` is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum VolatileRule {
    /// CUDA C++'s rule: two unordered volatile accesses race like plain ones.
    #[default]
    Cuda,
    /// PTX's rule (8.4): volatile is relaxed at system scope, so two of them never race.
    Ptx,
}

/// Which of the values that the memory model allows a racing read returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Adversary {
    /// Always the newest: what a lucky run does.
    #[default]
    Off,
    /// The oldest allowed.
    Oldest,
    /// Any allowed one, by the seed.
    Random(u64),
    /// The default of graded rows: the oldest across blocks; inside a block the seed chooses, because there the
    /// harmful value can be the older one (a barrier missing after a write) or the newer one (before a write).
    Mixed(u64),
}
