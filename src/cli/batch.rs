//! `warpgrade batch`: a whole class, from what the LMS gave to graded folders.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use clap::Args;

use super::class_progress::ClassProgress;
use super::clock;
use super::error::CliError;
use super::exit::Exit;
use super::grading::{GradingArgs, compiler, rubric_text, rule_pages};
use super::isolation;
use super::progress::Progress;
use crate::batch::store::{KeptAnswers, Store, StoreError};
use crate::batch::{self, Class, End, Grades, Order};
use crate::exercise::{Catalogue, Exercise};
use crate::grade::{Grader, SharedAnswers};
use crate::record::Graded;
use crate::report::{Audience, Shown};
use crate::rubric::Rubric;
use crate::submission::{Limits, Submission};

/// Grade a class: a folder or zip from Canvas, Moodle, Gradescope, or one folder (or file) a student
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade batch submissions.zip --exercise day62-racecheck --out graded\n  warpgrade batch downloads/ --out graded --dry-run\n  warpgrade batch submissions.zip --out graded --diff      what the last regrade changed\n\nStopped at any moment, the same command goes on: nothing is graded twice, nothing is lost."
)]
pub struct Batch {
    /// What the LMS gave: a folder or a .zip
    pub source: PathBuf,
    /// Where the store, the reports and the gradebook go
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The exercise's id; without it, each submission is matched by the kernels that it names
    #[arg(long, value_name = "ID")]
    pub exercise: Option<String>,
    /// The deadline, for layouts that give times: 2026-11-30T23:59:00+01:00
    #[arg(long, value_name = "TIME")]
    pub due: Option<String>,
    /// Show who handed in what and what was left out, and grade nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Grade nothing; list what rose and what fell at the last regrade
    #[arg(long)]
    pub diff: bool,
    #[command(flatten)]
    pub grading: GradingArgs,
}

pub fn run(args: &Batch) -> Result<Exit, CliError> {
    let progress = Progress::new(args.grading.quiet);
    if args.diff {
        return diff(args);
    }
    if let Some(due) = &args.due
        && batch::when::Moment::parse(due).is_none()
    {
        return Err(CliError::Usage(format!(
            "--due {due} is no time; write it as 2026-11-30T23:59:00+01:00 or 2026-11-30"
        )));
    }
    let class = batch::discover(&args.source, args.due.as_deref())
        .map_err(|error| CliError::Usage(error.to_string()))?;
    if args.dry_run {
        print!("{}", batch::discover::dry_run_table(&class));
        return Ok(Exit::Held);
    }
    let exercises = exercises(args)?;
    let store = Store::create(&args.out).map_err(failed)?;
    let _held = store.hold().map_err(failed)?;
    store.remember(&class.students).map_err(failed)?;
    grade_class(args, progress, &class, &exercises, store)
}

fn failed(error: StoreError) -> CliError {
    CliError::Fault(error.to_string())
}

/// The one that was named, or all.
fn exercises(args: &Batch) -> Result<Vec<Exercise>, CliError> {
    let broken = |error: crate::exercise::CatalogueError| CliError::Exercise(error.to_string());
    let catalogue = match &args.grading.exercises {
        Some(dir) => Catalogue::from_dir(dir).map_err(broken)?,
        None => Catalogue::embedded(),
    };
    let ids = args.exercise.clone().map_or_else(|| catalogue.ids(), |id| vec![id]);
    let exercises: Vec<Exercise> =
        ids.iter().map(|id| catalogue.load(id)).collect::<Result<_, _>>().map_err(broken)?;
    let (name, text) = rubric_text(&args.grading, &catalogue)?;
    let rubric = Rubric::parse(&name, &text).map_err(|error| CliError::Exercise(error.to_string()))?;
    for exercise in &exercises {
        rubric.exercise(exercise).map_err(|error| CliError::Exercise(error.to_string()))?;
    }
    Ok(exercises)
}

/// The secret of the class's hidden instances: drawn once, kept in the store, so that a resumed run continues the same.
fn instance_seed(args: &Batch, store: &Store) -> Result<u64, CliError> {
    const KEY: &str = "instance-seed";
    let seed = match (args.grading.instance_seed, store.meta(KEY).map_err(failed)?) {
        (Some(seed), _) => seed,
        (None, Some(seed)) => {
            seed.parse().map_err(|_| CliError::Fault("the store's instance seed is damaged".to_owned()))?
        }
        (None, None) => crate::harness::secret_seed(),
    };
    store.set_meta(KEY, &seed.to_string()).map_err(failed)?;
    Ok(seed)
}

struct Confined(Grader);

impl Grades for Confined {
    fn grade(&mut self, exercise: &str, submission: &Submission) -> Graded {
        self.0.grade(exercise, submission)
    }
}

fn grade_class(
    args: &Batch,
    progress: Progress,
    class: &Class,
    exercises: &[Exercise],
    store: Store,
) -> Result<Exit, CliError> {
    let nvrtc = compiler(progress)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.grading.jobs.map_or(cores, |n| n as usize).clamp(1, class.students.len().max(1));
    let mut grading = args.grading.clone();
    grading.instance_seed = Some(instance_seed(args, &store)?);
    // One thread a worker: submissions are what is done side by side.
    grading.jobs = Some(1);
    progress.line(&format!(
        "{} layout, {} students; {jobs} worker{}",
        class.layout,
        class.students.len(),
        if jobs == 1 { "" } else { "s" }
    ));
    let basis = basis(&grading, nvrtc.version(), exercises);
    let kept = KeptAnswers::open(&args.out).map_err(failed)?;
    let shared = batch::content::basis_hash(basis.iter().map(String::as_str));
    let shared = Arc::new(SharedAnswers::new(shared, Some(Box::new(kept))));
    let mut graders: Vec<Box<dyn Grades>> = Vec::new();
    let cards = isolation::cards(&grading);
    if cards > 1 {
        progress.line(&format!("{cards} GPUs, shared among the workers"));
    }
    for worker in 0..jobs {
        // What the machine lacks is told once.
        let told = if worker == 0 { progress } else { Progress::new(true) };
        graders.push(Box::new(Confined(isolation::grader(
            &isolation::of_worker(&grading, worker, cards),
            &nvrtc,
            Some(Arc::clone(&shared)),
            told,
        )?)));
    }
    let catalogue = match &args.grading.exercises {
        Some(dir) => Catalogue::from_dir(dir).map_err(|e| CliError::Exercise(e.to_string()))?,
        None => Catalogue::embedded(),
    };
    let (rubric_name, rubric_words) = rubric_text(&args.grading, &catalogue)?;
    let rubric =
        Rubric::parse(&rubric_name, &rubric_words).map_err(|error| CliError::Exercise(error.to_string()))?;
    let stop = Arc::new(AtomicBool::new(false));
    catch_interrupts(&stop)?;
    let order = Order {
        exercises,
        basis,
        rubric: batch::content::basis_hash([rubric_words.as_str()]),
        now: clock::now,
        limits: Limits::default(),
        stop: &stop,
    };
    let store = Mutex::new(store);
    let mut shown = ClassProgress::new(class.students.len(), args.grading.quiet);
    let end = batch::run(class, &order, &store, graders, |step, counts| shown.step(step, counts));
    shown.finish();
    let end = end.map_err(failed)?;
    let store = store.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    publish(args, &store, exercises, &rubric)?;
    let (asked, worked) = shared.counts();
    if asked > 0 {
        let same = asked - worked;
        progress.line(&format!("kernels: {asked} verdicts and rows, {same} were the same as another's"));
    }
    match end {
        End::Complete(counts) => {
            progress.line(&format!(
                "graded {}, known from before {}, rejected {}, faults {}: {}",
                counts.graded,
                counts.known,
                counts.rejected,
                counts.faults,
                args.out.join("index.html").display()
            ));
            Ok(if counts.faults > 0 { Exit::Fault } else { Exit::Held })
        }
        End::Stopped(counts) => Err(CliError::Fault(format!(
            "stopped after {} of {}; the same command goes on from there",
            counts.done(),
            counts.total
        ))),
    }
}

/// Everything that decides results, besides submission and exercise id.
fn basis(grading: &GradingArgs, nvrtc: (i32, i32), exercises: &[Exercise]) -> Vec<String> {
    let mut parts = vec![
        env!("CARGO_PKG_VERSION").to_owned(),
        format!("nvrtc {}.{}", nvrtc.0, nvrtc.1),
        format!("{:?}", (grading.device, grading.seed, grading.seeds, grading.runs, grading.instance_seed)),
        format!("{:?}", (grading.strict, grading.budget, grading.time_limit, grading.compile_limit)),
    ];
    for exercise in exercises {
        let texts = [Some(&exercise.template), exercise.oracle.as_ref()].into_iter().flatten();
        parts.extend(texts.map(|file| file.text.clone()));
        let plan = (&exercise.buffers, &exercise.rows, &exercise.instances, exercise.launch_budget);
        parts.push(format!("{plan:?}"));
    }
    parts
}

/// One Ctrl-C ends the run after the gradings under way; a second one ends it at once.
fn catch_interrupts(stop: &Arc<AtomicBool>) -> Result<(), CliError> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    for signal in [SIGINT, SIGTERM] {
        let register = |result: std::io::Result<_>| {
            result.map(drop).map_err(|error| CliError::Fault(format!("signals cannot be caught: {error}")))
        };
        register(signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(stop)))?;
        register(signal_hook::flag::register(signal, Arc::clone(stop)))?;
    }
    debug_assert!(!stop.load(Ordering::SeqCst), "nothing was stopped yet");
    Ok(())
}

/// Writes everybody's files; with several exercises, each into a folder of its own.
pub(super) fn publish(
    args: &Batch,
    store: &Store,
    exercises: &[Exercise],
    rubric: &Rubric,
) -> Result<(), CliError> {
    let fault = |error: batch::publish::PublishError| CliError::Fault(error.to_string());
    let pages = rule_pages();
    let shown = Shown::new(Audience::Student, &pages);
    let graded = store.exercises().map_err(failed)?;
    for exercise in exercises.iter().filter(|e| graded.contains(&e.id)) {
        let late = rubric.exercise(exercise).ok().and_then(|own| own.late.as_ref());
        store.set_late(&exercise.id, late).map_err(failed)?;
        let entries = batch::publish::entries(store, &exercise.id, late).map_err(failed)?;
        let folder = if graded.len() == 1 { args.out.clone() } else { args.out.join(&exercise.id) };
        batch::publish::class(&folder, &exercise.title, &entries, &shown).map_err(fault)?;
    }
    Ok(())
}

fn diff(args: &Batch) -> Result<Exit, CliError> {
    let store = Store::open(&args.out).map_err(|error| CliError::Usage(error.to_string()))?;
    for exercise in store.exercises().map_err(failed)? {
        let changes = batch::changes::changes(&store.gradings(&exercise).map_err(failed)?);
        print!("{exercise}\n{}", batch::changes::table(&changes));
    }
    Ok(Exit::Held)
}
