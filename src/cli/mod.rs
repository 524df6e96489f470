//! The command line: one file a subcommand. The only room that prints.
//!
//! A subcommand is a struct that derives [`clap::Args`] and a `run(&args) -> Result<Exit, CliError>` beside it; its
//! line in [`command`] makes it known. People's output and machine output go to stdout, progress to stderr.

mod autograder;
mod batch;
mod check;
mod class_progress;
mod clock;
mod command;
mod doctor;
mod error;
mod exit;
mod explain;
mod export;
mod fault;
mod finding_text;
mod grade;
mod grading;
mod hint;
mod isolation;
mod progress;
mod rescore;
mod review;
mod setup;
mod start;
mod validate;
mod watch;
mod worker;

pub use command::{Cli, Command, run};
pub use error::CliError;
pub use exit::Exit;
pub use fault::report_panics_as_faults;
pub use progress::Progress;
