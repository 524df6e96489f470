//! `warpgrade grade`: one submission, from its files to a report.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::error::CliError;
use super::exit::Exit;
use super::grading::{AudienceName, GradingArgs, compiler, exercise_and_rubric, must_exist, rule_pages};
use super::isolation::grader;
use super::progress::Progress;
use crate::batch::publish;
use crate::grade::{Grader, exit_code, not_begun};
use crate::record::Graded;
use crate::report::{self, Audience, Shown, TerminalStyle};
use crate::submission::{self, Limits};

/// Grade one submission: rows, the memory model's verdict with the lines at fault, points
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade grade day27-memory-model my_memory_model.cu\n  warpgrade grade day62-racecheck my_folder --report out\n  warpgrade grade day27-memory-model hw.zip --format json > result.json\n\nA submission is a .cu file (the whole program, kernels alone, or a marked snippet), a diff, a notebook, a folder or an archive of these; answers stand in answers.toml.\nExits 0 when every gate held, 1 when one did not, 2 on wrong use, 3 on a fault of the grader."
)]
pub struct Grade {
    /// The exercise's id (`warpgrade start` lists them)
    pub exercise: String,
    /// What was handed in
    pub submission: PathBuf,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Also write report.html, report.md and result.json into this folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Who reads the output
    #[arg(long, value_enum, default_value_t = AudienceName::Student)]
    pub audience: AudienceName,
    #[command(flatten)]
    pub grading: GradingArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    /// Gradescope's results.json
    Gradescope,
}

pub fn run(args: &Grade) -> Result<Exit, CliError> {
    let progress = Progress::new(args.grading.quiet || !std::io::stderr().is_terminal());
    must_exist(&args.submission)?;
    let (exercise, _) = exercise_and_rubric(&args.exercise, &args.grading)?;
    let mut grader = match ready(args) {
        Ok(grader) => grader,
        // Whoever reads records gets one in any case; the sentence goes to stderr as well.
        Err(CliError::Fault(reason)) => {
            let graded = not_begun(&exercise, &reason);
            if args.format == Format::Json {
                print(&graded, args.format, args.audience.into())?;
            }
            return Err(CliError::Fault(reason));
        }
        Err(other) => return Err(other),
    };
    progress.line(&format!("grading {} for {}", args.submission.display(), exercise.id));
    let submission = submission::read(&args.submission, &Limits::default());
    let graded = grader.grade(&exercise.id, &submission);
    let audience = args.audience.into();
    if let Some(folder) = &args.report {
        write_reports(&graded, folder, audience)?;
        progress.line(&format!("wrote {}", folder.join("report.html").display()));
    }
    print(&graded, args.format, audience)?;
    Ok(exit(&graded))
}

/// A grader with its compiler.
fn ready(args: &Grade) -> Result<Grader, CliError> {
    // Fetching the compiler takes a while and is told of in any case.
    let progress = Progress::new(args.grading.quiet);
    grader(&args.grading, &compiler(progress)?, None, progress)
}

/// Prints a record on stdout.
pub(super) fn print(graded: &Graded, format: Format, audience: Audience) -> Result<(), CliError> {
    let text = match format {
        Format::Json => report::json(graded, audience),
        Format::Gradescope => {
            let pages = rule_pages();
            report::gradescope(graded, &Shown::new(audience, &pages))
        }
        Format::Text => {
            let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            let pages = rule_pages();
            report::terminal(
                graded,
                &Shown::new(audience, &pages),
                TerminalStyle { colour, ..TerminalStyle::default() },
            )
        }
    };
    print!("{}", text.map_err(|error| CliError::Fault(error.to_string()))?);
    Ok(())
}

/// Writes the three views, each whole or not at all.
fn write_reports(graded: &Graded, folder: &Path, audience: Audience) -> Result<(), CliError> {
    let pages = rule_pages();
    let shown = Shown::new(audience, &pages);
    let failed = |error: report::ReportError| CliError::Fault(error.to_string());
    let views = [
        ("report.html", report::html(graded, &shown).map_err(failed)?),
        ("report.md", report::markdown(graded, &shown).map_err(failed)?),
        ("result.json", report::json(graded, audience).map_err(failed)?),
    ];
    for (name, text) in views {
        publish::write(&folder.join(name), text.as_bytes())
            .map_err(|error| CliError::Usage(error.to_string()))?;
    }
    Ok(())
}

pub(super) fn exit(graded: &Graded) -> Exit {
    match exit_code(graded) {
        0 => Exit::Held,
        1 => Exit::GateFailed,
        _ => Exit::Fault,
    }
}
