//! One submission from end to end: patch, compile, run, judge, score, record.

mod assign;
mod beside;
mod blank;
mod hints;
mod isolated;
mod options;
mod pipeline;

pub use beside::beside;
pub use blank::{exit_code, fault, not_begun, rejected};
pub use isolated::{
    COMPILE_LIMIT, Choices, Grader, Keeper, Setup, SharedAnswers, Watchdog, blame, serve, serve_execution,
};
pub use options::{DeviceChoice, Options};
pub use pipeline::grade;
