//! NVIDIA's compute-sanitizer beside our own findings, where it is installed.
//!
//! Each tool runs over a worker that makes every row's launch once. A tool is believed only when, in the same
//! invocation's manner, it reports the bug of its canary: a tool that does not work must never read as clean.

mod canary;
mod find;
mod report;
mod run;

pub use find::{Sanitizer, find};
pub use report::{ToolFinding, read_report};
pub(super) use run::{REQUESTS, run_tools};
pub use run::{ToolOutcome, ToolRun};
