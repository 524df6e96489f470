//! `warpgrade watch`: grade again at every save.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;

use super::error::CliError;
use super::exit::Exit;
use super::grade::{Format, print};
use super::grading::{GradingArgs, compiler, exercise_and_rubric, must_exist};
use super::isolation::grader;
use super::progress::Progress;
use crate::report::Audience;
use crate::submission::{self, Limits};

/// How often files are looked at: soon enough to feel at once, seldom enough to cost nothing.
const POLL: Duration = Duration::from_millis(200);

/// Grade a file or folder again at every save, until Ctrl-C
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  warpgrade watch day62-racecheck racecheck.cu")]
pub struct Watch {
    /// The exercise's id
    pub exercise: String,
    /// The file or folder that you edit
    pub submission: PathBuf,
    /// Stop after this many gradings (for scripts)
    #[arg(long, value_name = "N", hide = true)]
    pub times: Option<u32>,
    #[command(flatten)]
    pub grading: GradingArgs,
}

pub fn run(args: &Watch) -> Result<Exit, CliError> {
    must_exist(&args.submission)?;
    let (exercise, _) = exercise_and_rubric(&args.exercise, &args.grading)?;
    let progress = Progress::new(args.grading.quiet);
    let mut grader = grader(&args.grading, &compiler(progress)?, None, progress)?;
    let mut done = 0;
    loop {
        // The state before reading: a save during the grading is seen afterwards.
        let state = state(&args.submission);
        let submission = submission::read(&args.submission, &Limits::default());
        let graded = grader.grade(&exercise.id, &submission);
        if std::io::stdout().is_terminal() {
            // Clear the screen, so that the newest report stands at the top.
            print!("\x1b[2J\x1b[H");
        }
        print(&graded, Format::Text, Audience::Student)?;
        let _ = std::io::stdout().flush();
        done += 1;
        if args.times.is_some_and(|times| done >= times) {
            return Ok(super::grade::exit(&graded));
        }
        progress.line(&format!("watching {}; Ctrl-C ends", args.submission.display()));
        wait_for_change(&args.submission, &state);
    }
}

/// Name, size and time of every file below a path.
type State = Vec<(PathBuf, u64, Option<SystemTime>)>;

fn state(path: &Path) -> State {
    walkdir::WalkDir::new(path)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| {
            let data = entry.metadata().ok()?;
            Some((entry.into_path(), data.len(), data.modified().ok()))
        })
        .collect()
}

/// Returns when something changed and has then been still for a moment: editors write in several steps.
fn wait_for_change(path: &Path, before: &State) {
    let mut last = before.clone();
    loop {
        std::thread::sleep(POLL);
        let now = state(path);
        let still = now == last;
        last = now;
        if still && last != *before && !last.is_empty() {
            return;
        }
    }
}
