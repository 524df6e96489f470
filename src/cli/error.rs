//! Why a command could not do what it was asked.

use super::exit::Exit;

/// For the person who called: what, where, and what to do. The kind decides the exit code.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// An argument makes no sense, or names something that is not there.
    #[error("{0}")]
    Usage(String),
    /// An exercise, rubric or template is broken: its author's.
    #[error("{0}")]
    Exercise(String),
    /// Our failure, or the machine's.
    #[error("grader fault: {0}")]
    Fault(String),
}

impl CliError {
    pub fn exit(&self) -> Exit {
        match self {
            CliError::Usage(_) | CliError::Exercise(_) => Exit::Usage,
            CliError::Fault(_) => Exit::Fault,
        }
    }
}
