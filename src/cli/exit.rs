//! Exit codes: an interface, documented in one table.

use std::process::ExitCode;

/// How a command ended. [`Exit::TABLE`] is what `--help` shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done; where something was graded, every gate held.
    Held = 0,
    /// Graded, and a gate failed: a compile error and a student's time-out are this too.
    GateFailed = 1,
    /// Wrong use, or a broken exercise or rubric file: for the person who called.
    Usage = 2,
    /// A failure of the grader or its machine. No score is given.
    Fault = 3,
}

impl Exit {
    pub const TABLE: &'static str = "\
Exit codes:
  0  graded, and every gate held (or the command did what it was asked)
  1  graded, and a gate failed; compile errors and a student's time-out are this
  2  wrong use, or a broken exercise or rubric file
  3  grader fault: no score is given";
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
