//! One submission from end to end: patch, compile, run, judge, score, record.

mod assign;
mod blank;
mod hints;
mod options;
mod pipeline;

pub use blank::{exit_code, fault, rejected};
pub use options::{DeviceChoice, Options};
pub use pipeline::grade;
