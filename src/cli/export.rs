//! `warpgrade export`: a graded class in the formats that other systems take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::error::CliError;
use super::exit::Exit;
use super::grading::rule_pages;
use crate::batch::publish;
use crate::batch::store::Store;
use crate::report::{self, Audience, ClassEntry, ReportError, Shown};

/// Write a graded class for Gradescope, Canvas, Moodle, a CI system or a spreadsheet
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade export graded --format canvas --title 'Day 27 (4711)' > canvas.csv\n  warpgrade export graded --format moodle --to moodle/\n  warpgrade export graded --format gradescope --to results/"
)]
pub struct Export {
    /// The --out folder of `warpgrade batch`
    pub dir: PathBuf,
    #[arg(long, value_enum)]
    pub format: Format,
    /// A folder for formats of several files (gradescope, moodle); one file otherwise
    #[arg(long, value_name = "PATH")]
    pub to: Option<PathBuf>,
    /// The exercise, where the store holds several
    #[arg(long, value_name = "ID")]
    pub exercise: Option<String>,
    /// Canvas's column: the assignment's title with its number, `Day 27 (4711)`
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Gradescope,
    Canvas,
    Moodle,
    Csv,
    Junit,
    Sarif,
}

pub fn run(args: &Export) -> Result<Exit, CliError> {
    let store = Store::open(&args.dir).map_err(|error| CliError::Usage(error.to_string()))?;
    let fault = |error: crate::batch::store::StoreError| CliError::Fault(error.to_string());
    let known = store.exercises().map_err(fault)?;
    let exercise = match (&args.exercise, known.as_slice()) {
        (Some(id), _) if known.contains(id) => id.clone(),
        (None, [only]) => only.clone(),
        _ => {
            return Err(CliError::Usage(format!(
                "say which exercise: --exercise, one of {}",
                known.join(", ")
            )));
        }
    };
    // The policy of the gradebook, so that totals are the same everywhere.
    let late = store.late(&exercise).map_err(fault)?;
    let entries = publish::entries(&store, &exercise, late.as_ref()).map_err(fault)?;
    let pages = rule_pages();
    let shown = Shown::new(Audience::Student, &pages);
    let made = |error: ReportError| CliError::Fault(error.to_string());
    let text = match args.format {
        Format::Canvas => {
            report::canvas(&entries, args.title.as_deref().unwrap_or(&exercise)).map_err(made)?
        }
        Format::Csv => report::csv(&entries).map_err(made)?,
        Format::Junit => report::junit(&entries, Audience::Staff).map_err(made)?,
        Format::Sarif => {
            let graded: Vec<_> = entries.iter().map(|e| (e.key.as_str(), &e.graded)).collect();
            report::sarif(&graded, &shown).map_err(made)?
        }
        Format::Gradescope | Format::Moodle => return folder(args, &entries, &shown),
    };
    match &args.to {
        Some(path) => write(path, text.as_bytes())?,
        None => print!("{text}"),
    }
    Ok(Exit::Held)
}

fn write(path: &std::path::Path, bytes: &[u8]) -> Result<(), CliError> {
    publish::write(path, bytes).map_err(|error| CliError::Usage(error.to_string()))
}

fn folder(args: &Export, entries: &[ClassEntry], shown: &Shown<'_>) -> Result<Exit, CliError> {
    let Some(to) = &args.to else {
        return Err(CliError::Usage("this format is several files: name a folder with --to".to_owned()));
    };
    let made = |error: ReportError| CliError::Fault(error.to_string());
    match args.format {
        Format::Gradescope => {
            for entry in entries {
                let results = report::gradescope(&entry.graded, shown).map_err(made)?;
                write(&to.join(&entry.key).join("results.json"), results.as_bytes())?;
            }
        }
        _ => {
            write(&to.join("grades.csv"), report::moodle_worksheet(entries).map_err(made)?.as_bytes())?;
            let feedback = report::moodle_feedback(entries, |entry| {
                Ok(vec![("report.html".to_owned(), report::html(&entry.graded, shown)?.into_bytes())])
            });
            write(&to.join("feedback.zip"), &feedback.map_err(made)?)?;
        }
    }
    Ok(Exit::Held)
}
