//! What `grade` and `watch` share: arguments, and how an exercise, a rubric and a compiler are found.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::error::CliError;
use super::progress::Progress;
use crate::exercise::{Catalogue, CatalogueError, Exercise};
use crate::grade::COMPILE_LIMIT;
use crate::nvrtc::Nvrtc;
use crate::report::{Audience, RulePages};
use crate::rubric::Rubric;
use crate::rules;

/// How a submission is graded.
#[derive(Debug, Clone, Args)]
pub struct GradingArgs {
    /// Where rows run; the verdict is the memory model's on any
    #[arg(long, value_enum, default_value_t = DeviceName::Auto)]
    pub device: DeviceName,
    /// Which GPU, by its number (default: 0; `batch` shares its workers among all that there are)
    #[arg(long, value_name = "N")]
    pub gpu: Option<usize>,
    /// Schedule of the first run; run r uses seed + r
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// Schedules of each verdict (default: by the kernel's size)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub seeds: Option<u32>,
    /// Launches per row, instead of the exercise's own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: Option<u32>,
    /// Threads to use (default: one a core)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// What hidden instances' data come from (default: a secret, new each time)
    #[arg(long, value_name = "N")]
    pub instance_seed: Option<u64>,
    /// Count what only the strict clock finds (missing-consumer-fence) as errors
    #[arg(long)]
    pub strict: bool,
    /// Seconds after which a grading stops and keeps what it has
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub time_limit: u64,
    /// Seconds after which the compiler is stopped, and the program it was compiling is a compile error
    #[arg(long, default_value_t = COMPILE_LIMIT, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub compile_limit: u64,
    /// Warp instructions that one launch may take on the embedded device (default: the exercise's)
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,
    /// A folder of exercises, instead of the built-in ones; `reference/` and `rubric.toml` are looked for beside it
    #[arg(long, value_name = "DIR")]
    pub exercises: Option<PathBuf>,
    /// A rubric, instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<PathBuf>,
    /// Also run NVIDIA's compute-sanitizer over the submission, on a GPU, and show its findings beside ours
    #[arg(long)]
    pub sanitizer: bool,
    /// Refuse to grade where a protection against hostile submissions is missing (see `warpgrade doctor`)
    #[arg(long)]
    pub require_sandbox: bool,
    /// Say nothing on stderr but errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DeviceName {
    /// The CPU, playing the strictest GPU that the memory model allows
    Embedded,
    /// A GPU
    Cuda,
    /// A GPU as well where there is one
    Auto,
    /// The embedded device and a GPU
    All,
}

/// Who reads the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AudienceName {
    /// Nothing of hidden instances, oracles and solutions
    Student,
    /// Everything
    Staff,
}

impl From<AudienceName> for Audience {
    fn from(name: AudienceName) -> Audience {
        match name {
            AudienceName::Student => Audience::Student,
            AudienceName::Staff => Audience::Staff,
        }
    }
}

/// The exercise and the rubric that arguments name.
pub fn exercise_and_rubric(id: &str, args: &GradingArgs) -> Result<(Exercise, Rubric), CliError> {
    let broken = |error: CatalogueError| match error {
        CatalogueError::Unknown { .. } => CliError::Usage(error.to_string()),
        other => CliError::Exercise(other.to_string()),
    };
    let catalogue = match &args.exercises {
        Some(dir) => Catalogue::from_dir(dir).map_err(broken)?,
        None => Catalogue::embedded(),
    };
    let exercise = catalogue.load(id).map_err(broken)?;
    let (name, text) = rubric_text(args, &catalogue)?;
    let rubric = Rubric::parse(&name, &text).map_err(|error| CliError::Exercise(error.to_string()))?;
    rubric.exercise(&exercise).map_err(|error| CliError::Exercise(error.to_string()))?;
    Ok((exercise, rubric))
}

/// The rubric's name for messages, and its text: the one named, or the one beside the exercises.
pub fn rubric_text(args: &GradingArgs, catalogue: &Catalogue) -> Result<(String, String), CliError> {
    let Some(path) = &args.rubric else {
        let found = catalogue.rubric().map(|(name, text)| (name.to_owned(), text.to_owned()));
        let built_in =
            || Catalogue::embedded().rubric().map(|(name, text)| (name.to_owned(), text.to_owned()));
        return found
            .or_else(built_in)
            .ok_or_else(|| CliError::Exercise("there is no rubric.toml beside the exercises".to_owned()));
    };
    let text = std::fs::read_to_string(path)
        .map_err(|error| CliError::Usage(format!("cannot read the rubric {}: {error}", path.display())))?;
    Ok((path.display().to_string(), text))
}

/// A compiler, fetched on first use.
pub fn compiler(progress: Progress) -> Result<Nvrtc, CliError> {
    Nvrtc::find_or_fetch(&mut |line| progress.line(line)).map_err(|error| CliError::Fault(error.to_string()))
}

/// What reports show of a rule.
pub fn rule_pages() -> impl RulePages {
    |rule: &str| rules::page(rule).map(ToString::to_string)
}

/// Whether there is something at that path; a clear message when not.
pub fn must_exist(path: &Path) -> Result<(), CliError> {
    if path.exists() {
        return Ok(());
    }
    Err(CliError::Usage(format!("there is nothing at {}", path.display())))
}
