//! The parent's side of confined gradings.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::executor::{Allowance, Executor};
use super::message::{ABOUT_CARD, ABOUT_KERNEL, Setup, Stage, Task};
use super::shared::SharedAnswers;
use crate::device::cuda::GpuWorker;
use crate::device::cuda::sanitizer::Sanitizer;
use crate::grade::beside;
use crate::grade::blank::blank;
use crate::grade::fault;
use crate::nvrtc::Nvrtc;
use crate::record::{Graded, Notice};
use crate::sandbox::{Bytes, Confinement, Policy, Question, Worker, WorkerError, WorkerSpec};
use crate::submission::Submission;

/// Grades submissions one after another in a worker that it renews as needed.
#[derive(Debug)]
pub struct Grader {
    spec: WorkerSpec,
    setup: Setup,
    gpu: Option<GpuWorker>,
    sanitizer: Option<(Sanitizer, Nvrtc)>,
    /// Who runs kernels, where results are shared.
    executor: Option<Executor>,
    worker: Option<Worker>,
}

/// Seconds beyond the grading's own limit until the worker is killed.
pub(super) const GRACE: u64 = 30;
/// Resident bytes after which a worker is replaced: NVRTC keeps some of what it took for each program.
const WORN: u64 = 1536 << 20;
/// Times that a submission is graded again without a program that brought its worker down.
const RETRIES: usize = 8;

impl Grader {
    /// `gpu` answers for the worker, which cannot reach a card itself. `require_sandbox` makes a missing protection an
    /// error of [`Grader::start`]. `program` is this program when `None`.
    pub fn new(
        setup: Setup,
        gpu: Option<GpuWorker>,
        require_sandbox: bool,
        program: Option<PathBuf>,
    ) -> Grader {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
        let threads = setup.choices.jobs.map_or(cores, u64::from);
        let policy = Policy {
            cpu_seconds: (setup.choices.time_limit + GRACE) * threads,
            // Each thread reserves a stack and may get an arena of its own.
            memory: Some((4 << 30) + threads * (128 << 20)),
            require_all: require_sandbox,
            ..Policy::default().reading(setup.installation.folders())
        };
        let spec = WorkerSpec { program, ..WorkerSpec::new("grade", policy) };
        Grader { spec, setup, gpu, sanitizer: None, executor: None, worker: None }
    }

    /// Shares what kernels give with other graders of the same setup. The setup names an instance seed: hidden instances
    /// that differ from grading to grading have nothing in common.
    pub fn sharing(self, answers: Arc<SharedAnswers>) -> Grader {
        debug_assert!(self.setup.choices.instance_seed.is_some(), "shared gradings have one instance seed");
        let spec = WorkerSpec { kind: "execute", ..self.spec.clone() };
        Grader { executor: Some(Executor::new(spec, self.setup.clone(), answers)), ..self }
    }

    /// Also runs compute-sanitizer over every submission, on the card. `nvrtc` builds its canaries.
    pub fn beside(self, tool: Sanitizer, nvrtc: Nvrtc) -> Grader {
        Grader { gpu: self.gpu.map(GpuWorker::remembering), sanitizer: Some((tool, nvrtc)), ..self }
    }

    /// Starts the worker now, so that the first grading does not wait for it; says what protects it.
    pub fn start(&mut self) -> Result<&Confinement, WorkerError> {
        if let Some(executor) = &mut self.executor {
            executor.start()?;
        }
        Ok(self.worker()?.confinement())
    }

    /// Grades one submission. Never fails: a failure of ours is a record with status `fault`.
    pub fn grade(&mut self, exercise: &str, submission: &Submission) -> Graded {
        let mut task = Task {
            exercise: exercise.to_owned(),
            submission: submission.clone(),
            card: self.gpu.as_ref().map(|gpu| gpu.card().clone()),
            blamed: BTreeMap::new(),
            one_by_one: false,
            compile_limit: self.setup.choices.compile_limit,
            shared: self.executor.is_some(),
        };
        let mut fresh = false;
        for _ in 0..=RETRIES {
            match self.attempt(&task) {
                Ok(Ok(graded)) => return self.sanitized(graded),
                Ok(Err(reason)) => return failed(task, reason),
                Err((error, compiling)) => {
                    match (blame(&error, task.compile_limit), compiling.programs.as_slice()) {
                        // None of these ends. Programs of one submission are much alike: one more that does not end
                        // shall not cost as much again.
                        (Some(reason), [_, ..]) if compiling.endless => {
                            task.blame(&compiling.programs, &reason);
                            task.compile_limit = shorter(task.compile_limit);
                        }
                        // The compiler went down on this program: it is left out, and the rest is graded.
                        (Some(reason), [_]) => task.blame(&compiling.programs, &reason),
                        // The worker may have been worn by the submissions before: once more, in a fresh one.
                        (_, []) if matches!(error, WorkerError::OutOfMemory) && !fresh => fresh = true,
                        // One of several: they are compiled one by one to see which.
                        (Some(_), [_, _, ..]) if !task.one_by_one => task.one_by_one = true,
                        _ => return failed(task, format!("the grading was stopped: {error}")),
                    }
                }
            }
        }
        failed(task, "too many programs of this submission bring the compiler down".to_owned())
    }

    /// Adds what compute-sanitizer says of the same programs, where it is wanted.
    fn sanitized(&self, mut graded: Graded) -> Graded {
        let (Some((tool, nvrtc)), Some(gpu)) = (&self.sanitizer, &self.gpu) else { return graded };
        let own = self.spec.program.clone().map_or_else(std::env::current_exe, Ok);
        match own {
            Ok(program) => {
                let mut files: Vec<String> =
                    graded.sources.iter().map(|source| source.file.clone()).collect();
                files.push("template".to_owned());
                let runs = gpu.sanitize(tool, nvrtc, &files, &program);
                graded.sanitizer = Some(beside(&graded, tool, &gpu.card().name, &runs));
            }
            Err(error) => graded.notices.push(Notice {
                kind: "sanitizer-not-run".to_owned(),
                message: format!("compute-sanitizer was not run: {error}"),
                file: String::new(),
                line: 0,
            }),
        }
        graded
    }

    /// One try: the worker's answer, or its end with what it was compiling then.
    fn attempt(&mut self, task: &Task) -> Result<Result<Graded, String>, (WorkerError, Compiling)> {
        let limit = Duration::from_secs(self.setup.choices.time_limit + GRACE);
        let gpu = self.gpu.clone();
        let mut executor = self.executor.take();
        let mut allowance = Allowance::new(limit);
        let result =
            self.attempt_with(task, limit, |question| match (question.subject, &gpu, &mut executor) {
                (ABOUT_KERNEL, _, Some(executor)) => executor.answer(question, &mut allowance),
                (ABOUT_CARD, Some(gpu), _) => question.answered(|asked| gpu.answer(asked)),
                _ => Err(std::io::Error::other("it asked what nobody here answers")),
            });
        self.executor = executor;
        result
    }

    fn attempt_with(
        &mut self,
        task: &Task,
        limit: Duration,
        on_ask: impl FnMut(&Question) -> std::io::Result<Bytes>,
    ) -> Result<Result<Graded, String>, (WorkerError, Compiling)> {
        let mut compiling = Compiling::default();
        let worker = self.worker().map_err(|error| (error, Compiling::default()))?;
        let on_stage = |stage| match stage {
            Stage::Compiling(key) => compiling.programs.push(key),
            Stage::Compiled(key) => compiling.programs.retain(|own| *own != key),
            Stage::Endless(programs) => compiling = Compiling { programs, endless: true },
        };
        let result = worker.run_asking(task, limit, on_stage, on_ask);
        result.map_err(|error| (error, compiling))
    }

    fn worker(&mut self) -> Result<&mut Worker, WorkerError> {
        if self.worker.as_ref().is_some_and(|worker| !worker.is_alive() || worker.peak_memory() > WORN) {
            self.worker = None;
        }
        match &mut self.worker {
            Some(worker) => Ok(worker),
            none => Ok(none.insert(Worker::start(&self.spec, &self.setup)?)),
        }
    }
}

/// What a worker was compiling when it ended.
#[derive(Default)]
struct Compiling {
    programs: Vec<String>,
    /// It ended itself, for these took too long.
    endless: bool,
}

/// Seconds for the compiles of a submission of which one program did not end within `limit` seconds.
fn shorter(limit: u64) -> u64 {
    (limit / 4).max(5).min(limit)
}

/// A record of our failure, with what was handed in.
fn failed(task: Task, reason: String) -> Graded {
    let mut graded = blank(&task.exercise, "");
    graded.inputs = task.submission.inputs;
    graded.notices = task.submission.notices;
    graded.ignored = task.submission.ignored;
    fault(graded, reason)
}

/// What a worker's end says of the program that it was compiling, in a student's words; `None` when nothing.
/// `limit` is that of a compile, in seconds.
pub fn blame(error: &WorkerError, limit: u64) -> Option<String> {
    match error {
        WorkerError::OutOfMemory => Some("the compiler ran out of memory on this program".to_owned()),
        WorkerError::TimedOut { .. } => Some(endless(limit)),
        // The watchdog ends the worker with an exit; everything else is a signal.
        WorkerError::Died { how, .. } if how.contains("exit code 0") => Some(endless(limit)),
        WorkerError::Died { .. } => Some("the compiler crashed on this program".to_owned()),
        WorkerError::Start(_) | WorkerError::Panicked(_) | WorkerError::Garbled(_) => None,
    }
}

fn endless(limit: u64) -> String {
    format!(
        "the compiler did not finish this program within {limit} seconds: a template, macro or constexpr that never ends?"
    )
}
