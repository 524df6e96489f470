//! The record of a grading, `result.json`: plain data that every view is made from.
//!
//! The schema is documented in `reference/harness/result-schema.md`. Fields are only ever added within
//! one schema number. No room that produces a part of it knows of the rooms that show it.

mod graded;
mod sanitizer;
mod verdict;

pub use graded::*;
pub use sanitizer::*;
pub use verdict::*;
