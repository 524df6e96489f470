//! The subcommands that there are, and which file runs each.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::error::CliError;
use super::exit::Exit;
use super::{
    autograder, batch, check, doctor, explain, export, grade, hint, rescore, review, setup, start, validate,
    watch, worker,
};

/// Grades CUDA exercises about ordering: the memory model decides, runs are evidence
#[derive(Debug, Parser)]
#[command(
    name = "warpgrade",
    version,
    arg_required_else_help = true,
    after_help = after_help(),
    // Errors and help wrap at the terminal's width.
    max_term_width = 100
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// One variant a subcommand; the doc comment of its struct is its help.
#[derive(Debug, Subcommand)]
pub enum Command {
    Start(start::Start),
    Hint(hint::Hint),
    Grade(Box<grade::Grade>),
    Watch(Box<watch::Watch>),
    Check(Box<check::Check>),
    Explain(explain::Explain),
    Batch(Box<batch::Batch>),
    Review(review::Review),
    Rescore(rescore::Rescore),
    Export(export::Export),
    Autograder(autograder::Autograder),
    Validate(validate::Validate),
    Setup(setup::Setup),
    Doctor(doctor::Doctor),
    #[command(hide = true)]
    Worker(worker::Worker),
}

/// Runs a command to its exit code; errors are printed on stderr.
pub fn run(cli: Cli) -> ExitCode {
    let result = match &cli.command {
        Command::Start(args) => start::run(args),
        Command::Hint(args) => hint::run(args),
        Command::Grade(args) => grade::run(args),
        Command::Watch(args) => watch::run(args),
        Command::Check(args) => check::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Batch(args) => batch::run(args),
        Command::Review(args) => review::run(args),
        Command::Rescore(args) => rescore::run(args),
        Command::Export(args) => export::run(args),
        Command::Autograder(args) => autograder::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Setup(args) => setup::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Worker(args) => worker::run(args),
    };
    finish(result).into()
}

fn finish(result: Result<Exit, CliError>) -> Exit {
    result.unwrap_or_else(|error| {
        let prefix = if error.exit() == Exit::Usage { "error: " } else { "" };
        eprintln!("{prefix}{error}");
        error.exit()
    })
}

fn after_help() -> String {
    format!(
        "Examples:\n  warpgrade setup     fetch the compiler, once\n  warpgrade doctor    what this machine has, and \
         what each part is for\n\n{}",
        Exit::TABLE
    )
}
