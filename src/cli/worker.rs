//! The hidden subcommand that every worker process is: this program again, at the other end of a private pipe.

use clap::{Args, ValueEnum};

use super::error::CliError;
use super::exit::Exit;
use crate::check;
use crate::device::cuda;
use crate::grade;
use crate::sandbox;

/// Answer jobs over a private pipe; warpgrade starts this itself
#[derive(Debug, Args)]
pub struct Worker {
    #[arg(value_enum)]
    pub kind: Kind,
}

/// What a worker is for; the room that starts it names it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Grades submissions.
    Grade,
    /// Runs kernels for graders who share results.
    Execute,
    /// Checks a kernel without an exercise.
    Check,
    /// Runs kernels on a GPU.
    Cuda,
    /// Answers a file of requests under compute-sanitizer.
    Sanitize,
    /// Tries to get out, for `doctor` and tests.
    Attempt,
}

pub fn run(args: &Worker) -> Result<Exit, CliError> {
    let served = match args.kind {
        Kind::Grade => grade::serve(),
        Kind::Execute => grade::serve_execution(),
        Kind::Check => check::serve(),
        Kind::Cuda => cuda::serve(),
        Kind::Sanitize => cuda::replay(),
        Kind::Attempt => sandbox::attempts_on_the_host(),
    };
    served.map(|()| Exit::Held).map_err(CliError::Usage)
}
