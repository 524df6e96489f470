//! Parses the command line; everything else is the library's.

use std::process::ExitCode;

use clap::Parser;
use warpgrade::cli::{self, Cli};

fn main() -> ExitCode {
    cli::report_panics_as_faults();
    // A panic on this thread would end in Rust's own code, 101.
    std::panic::catch_unwind(|| cli::run(Cli::parse())).unwrap_or_else(|_| cli::Exit::Fault.into())
}
