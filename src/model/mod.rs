//! The memory model: happens-before with scopes, races, barriers, initialisation, stale reads.

mod checker;
mod finding;
mod options;
mod watch;

pub use checker::Checker;
pub use finding::*;
pub use options::*;
pub use watch::WatchPlan;
