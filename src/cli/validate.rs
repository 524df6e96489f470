//! `warpgrade validate`: an author's exercises, tried out.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::error::CliError;
use super::exit::Exit;
use super::grading::compiler;
use super::isolation::tell_missing;
use super::progress::Progress;
use super::start::load;
use crate::exercise::{Catalogue, Exercise};
use crate::grade::{Choices, Grader, Setup};
use crate::rubric::Rubric;
use crate::validate::{Outcome, Trial, trials, try_out};

/// For authors: load an exercise, grade its solution, mutants and examples, and compare each with what it must give
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade validate                                 every exercise of ./exercises\n  warpgrade validate day27-memory-model              one\n  warpgrade validate my-exercise --exercises DIR     of another folder\n  warpgrade validate day62-racecheck --only shuffle  trials whose name has this word\n\nSolutions and mutants are read from the folder reference/ beside the exercises.\nExits 0 when everything is as expected, 1 when something is not, 2 when a file is broken."
)]
pub struct Validate {
    /// Exercises' ids; all when none is named
    pub exercise: Vec<String>,
    /// The folder of exercises
    #[arg(long, value_name = "DIR", default_value = "exercises")]
    pub exercises: PathBuf,
    /// Only trials whose name contains this
    #[arg(long, value_name = "WORD")]
    pub only: Option<String>,
    /// Launches per row; the exercise's own number takes longer
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub runs: u32,
    /// Threads to use (default: one a core)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Say nothing on stderr but errors
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(args: &Validate) -> Result<Exit, CliError> {
    let (catalogue, rubric) = author_files(args)?;
    let exercises = chosen(args, &catalogue, &rubric)?;
    let mut grader = confined(args, &catalogue)?;
    let progress = Progress::new(args.quiet || !std::io::stderr().is_terminal());
    let (mut tried, mut failed) = (0, 0);
    for exercise in &exercises {
        for trial in trials(exercise).iter().filter(|trial| is_wanted(trial, args.only.as_deref())) {
            progress.line(&format!("{}: {}", exercise.id, trial.name));
            let outcome = try_out(trial, exercise, |submission| grader.grade(&exercise.id, submission));
            tried += 1;
            failed += usize::from(!outcome.unmet.is_empty());
            print(exercise, trial, &outcome);
        }
    }
    println!("\n{tried} tried, {failed} not as expected");
    Ok(if failed == 0 { Exit::Held } else { Exit::GateFailed })
}

/// A grader in a worker, as students' submissions have it.
fn confined(args: &Validate, catalogue: &Catalogue) -> Result<Grader, CliError> {
    let nvrtc = compiler(Progress::new(args.quiet))?;
    let (file, text) = catalogue.rubric().unwrap_or_default();
    let setup = Setup {
        exercises: Some(args.exercises.canonicalize().unwrap_or_else(|_| args.exercises.clone())),
        rubric: (file.to_owned(), text.to_owned()),
        installation: nvrtc.installation().clone(),
        choices: Choices { runs: Some(args.runs), jobs: args.jobs, ..Choices::default() },
    };
    let mut grader = Grader::new(setup, None, false, None);
    let confinement = grader.start().map_err(|error| CliError::Fault(error.to_string()))?;
    tell_missing(confinement, Progress::new(args.quiet));
    Ok(grader)
}

fn author_files(args: &Validate) -> Result<(Catalogue, Rubric), CliError> {
    let catalogue = Catalogue::from_dir(&args.exercises)
        .map_err(|error| CliError::Usage(format!("{error}; name the folder with --exercises DIR")))?;
    let Some((file, text)) = catalogue.rubric() else {
        return Err(CliError::Exercise("there is no rubric.toml beside the folder of exercises".to_owned()));
    };
    let rubric = Rubric::parse(file, text).map_err(|error| CliError::Exercise(error.to_string()))?;
    Ok((catalogue, rubric))
}

fn chosen(args: &Validate, catalogue: &Catalogue, rubric: &Rubric) -> Result<Vec<Exercise>, CliError> {
    let ids = if args.exercise.is_empty() { catalogue.ids() } else { args.exercise.clone() };
    let mut exercises = Vec::new();
    for id in ids {
        let exercise = load(catalogue, &id)?;
        rubric.exercise(&exercise).map_err(|error| CliError::Exercise(error.to_string()))?;
        exercises.push(exercise);
    }
    Ok(exercises)
}

fn is_wanted(trial: &Trial, only: Option<&str>) -> bool {
    only.is_none_or(|word| trial.name.contains(word))
}

fn print(exercise: &Exercise, trial: &Trial, outcome: &Outcome) {
    let mark = if outcome.unmet.is_empty() { "ok" } else { "FAIL" };
    let score = outcome.graded.score.as_ref();
    let points =
        score.map_or_else(|| "no score".to_owned(), |score| format!("{}/{}", score.points, score.max));
    let seconds = outcome.time.as_secs_f64();
    println!("{mark:<4} {} {}  exit {}, {points}, {seconds:.1} s", exercise.id, trial.name, outcome.exit);
    for unmet in &outcome.unmet {
        println!("     {unmet}");
    }
}
