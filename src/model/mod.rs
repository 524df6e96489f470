//! The memory model: happens-before with scopes, races, barriers, initialisation, stale reads.
//!
//! [`Checker`] observes the embedded device (`crate::simt`); [`Report`] is what it found, not yet in anyone's
//! words (`crate::rules` does that). Where MEMORY-MODEL's rules and PTX disagree, the file concerned says so.

mod access;
mod adversary;
mod barrier;
mod checker;
mod clock;
mod collect;
mod copies;
mod counters;
mod fault;
mod finding;
mod footprint;
mod initial;
mod inputs;
mod judge;
mod options;
mod record;
mod residents;
mod shadow;
mod stale;
mod sync;
mod threads;
mod trace;
mod watch;

pub use checker::{Checker, Tables};
pub use finding::*;
pub use options::*;
pub use watch::WatchPlan;
