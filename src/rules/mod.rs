//! One file a misconception: what it is, why it is wrong, and how to say so in a student's words.
//!
//! `catalogue.rs` lists them in the order in which they are asked; `explain.rs` turns the checker's raw findings
//! into the record's.

mod atomic_scope_too_narrow;
mod barrier_skipped;
mod case;
mod catalogue;
mod counter_not_reset;
mod divergent_barrier;
mod explain;
mod fence_after_announcement;
mod fence_scope_too_narrow;
mod missing_atomic;
mod missing_barrier;
mod missing_consumer_fence;
mod missing_fence;
mod no_progress;
mod out_of_bounds;
mod page;
mod places;
mod rule;
mod same_value_write;
mod uninitialised_read;
mod verdict;
mod volatile_is_not_ordering;
mod witness;

pub use catalogue::{all, page};
pub use explain::explain;
pub use page::Page;
pub use places::{Places, SharedVariable};
pub use verdict::verdict;
