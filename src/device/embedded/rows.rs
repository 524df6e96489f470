//! Rows on the embedded device: run r uses schedule `first_seed + r`, and runs are spread over the cores.
//!
//! A fault ends the row at the lowest run that has one, so that the outcome is the same however the runs fall
//! on the cores.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::execute::{Call, Loaded};
use super::fault_words::fault_words;
use super::program::EmbeddedProgram;
use crate::device::{DeviceError, Job, JobOutcome, LoadedProgram, RunOutcome, StopKind, Stopped, compare};
use crate::model::{Adversary, Checker, Options};
use crate::simt::{Checkpoints, Fault, FaultKind, LaunchReport, Unobserved};

/// Shares of a row's runs, a worker: so many that no worker is left alone with a large one at the end.
const SHARES_A_WORKER: u32 = 6;
/// Runs that one worker takes at a time: enough to pay for its copy of the buffers.
const FEWEST_RUNS_A_WORKER: u32 = 4;

/// Words that the adversary may look at in a row whose first run was wrong, a microsecond each where all of them race;
/// the exercises' own racing kernels look at less in a hundred runs. A kernel that races with everything would take
/// minutes to be wrong a hundred times.
const LOOKS: u64 = 15_000_000;
/// Runs of such a row in any case.
const FEWEST_RUNS: u64 = 2;
/// Runs for which it pays to find out first where blocks meet.
const FEWEST_RUNS_WITH_CHECKPOINTS: usize = 8;

/// What a row's launches gave, in terms of the program's sites and not yet of anyone's lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteOutcome {
    /// Finished launches in order.
    pub runs: Vec<RunOutcome>,
    /// The run that could not be finished, and why.
    pub halted: Option<(u32, Halt)>,
    /// Launches asked for, when fewer were enough.
    pub asked: Option<u32>,
    pub printed: String,
    pub printed_cut: bool,
    pub thread_instructions: u64,
}

/// Why a row ended early.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Halt {
    Fault(Fault),
    Deadline,
}

impl LoadedProgram for EmbeddedProgram {
    fn run(&self, job: &Job) -> Result<JobOutcome, DeviceError> {
        Ok(self.told(self.run_row(job), job.kernel))
    }
}

impl EmbeddedProgram {
    /// Runs one row.
    ///
    /// The first run begins at the beginning; it says how many more are worth their time, and whether the others can begin
    /// where blocks first meet.
    pub fn run_row(&self, job: &Job) -> SiteOutcome {
        let first_stop = AtomicU32::new(u32::MAX);
        let (mut made, looks) = self.share(job, 0..1.min(job.runs), None, &first_stop);
        let Some(first) = made.first() else { return SiteOutcome::default() };
        let enough = enough(job, first, looks);
        let rest = 1..enough;
        let checkpoints = if rest.len() >= FEWEST_RUNS_WITH_CHECKPOINTS && first.leaves_inputs_alone() {
            self.checkpoints(job, first.warp_instructions)
        } else {
            None
        };
        let workers = rayon::current_num_threads() as u32;
        let share = enough.div_ceil(SHARES_A_WORKER * workers).max(FEWEST_RUNS_A_WORKER);
        let starts: Vec<u32> = rest.step_by(share as usize).collect();
        let run = |start: u32| {
            self.share(job, start..(start + share).min(enough), checkpoints.as_ref(), &first_stop).0
        };
        let shares: Vec<Vec<Run>> = starts.into_par_iter().map(run).collect();
        made.extend(shares.into_iter().flatten());
        let outcome = gather(made);
        let asked = (enough < job.runs && outcome.halted.is_none()).then_some(job.runs);
        SiteOutcome { asked, ..outcome }
    }

    /// Memory for a row's launches, filled.
    pub fn loaded(&self, job: &Job) -> Loaded {
        let buffers = job.buffers.iter().map(|b| (b.name.as_str(), b.contents.len() as u64, b.ty.bytes()));
        let mut loaded = Loaded::new(&self.program, buffers);
        for (index, buffer) in job.buffers.iter().enumerate() {
            loaded.fill(index, &buffer.contents);
        }
        loaded
    }

    /// An outcome of a kernel (by PTX name), with this program's sites, in a student's words.
    pub fn told(&self, outcome: SiteOutcome, kernel: &str) -> JobOutcome {
        let stopped = outcome.halted.map(|(run, halt)| match halt {
            Halt::Fault(fault) => {
                Stopped { run, message: fault_words(&fault, &self.places(kernel)), kind: stop_kind(&fault) }
            }
            Halt::Deadline => {
                Stopped { run, message: "the time limit ran out".to_owned(), kind: StopKind::Deadline }
            }
        });
        JobOutcome {
            runs: outcome.runs,
            stopped,
            asked: outcome.asked,
            printed: outcome.printed,
            printed_cut: outcome.printed_cut,
            thread_instructions: outcome.thread_instructions,
        }
    }
}

/// One launch and what came of it.
struct Run {
    number: u32,
    result: Result<RunOutcome, Halt>,
    printed: String,
    printed_cut: bool,
    thread_instructions: u64,
    warp_instructions: u64,
    /// Something was stored to a buffer that is only to be read, be it what was there.
    wrote_inputs: bool,
}

impl EmbeddedProgram {
    /// The runs of one worker, and how often the adversary looked for old values.
    fn share(
        &self,
        job: &Job,
        runs: Range<u32>,
        checkpoints: Option<&Checkpoints>,
        first_stop: &AtomicU32,
    ) -> (Vec<Run>, u64) {
        let mut loaded = self.loaded(job);
        let mut checker = job.stale.map(|plan| {
            Checker::new(Options {
                watch: Some(plan.watch.clone()),
                splits: plan.splits.clone(),
                ..Options::default()
            })
        });
        let mut done = Vec::new();
        for number in runs {
            if number > first_stop.load(Ordering::Relaxed) {
                break;
            }
            let run = if job.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                Run::out_of_time(number)
            } else {
                let call = Call { checkpoints, ..call(job, number) };
                self.once(job, number, &call, &mut loaded, checker.as_mut())
            };
            let stopped = run.result.is_err();
            done.push(run);
            if stopped {
                first_stop.fetch_min(number, Ordering::Relaxed);
                break;
            }
        }
        (done, checker.as_ref().map_or(0, Checker::looks))
    }

    /// Resets every buffer, launches, compares. Inputs are as they must be when this begins and when it ends.
    fn once(
        &self,
        job: &Job,
        number: u32,
        call: &Call,
        loaded: &mut Loaded,
        checker: Option<&mut Checker>,
    ) -> Run {
        for (index, buffer) in job.buffers.iter().enumerate() {
            if !buffer.read_only {
                loaded.write(index, &buffer.contents);
            }
        }
        loaded.reset_module();
        let report = match checker {
            Some(checker) => {
                let options = Options { adversary: Adversary::Mixed(call.seed), ..checker.options().clone() };
                checker.set_options(options);
                checker.begin_run(call.seed);
                loaded.launch(call, checker)
            }
            None => loaded.launch(call, &mut Unobserved),
        };
        outcome(job, number, loaded, report)
    }
}

/// A row's launch, from the beginning.
pub(super) fn call<'a>(job: &'a Job, number: u32) -> Call<'a> {
    Call {
        kernel: job.kernel,
        grid: job.grid,
        block: job.block,
        dynamic_shared: job.dynamic_shared,
        arguments: job.arguments,
        seed: job.first_seed.wrapping_add(u64::from(number)),
        budget: job.budget,
        checkpoints: None,
    }
}

/// How many runs a row makes, as its first run and the adversary's looks in it tell.
fn enough(job: &Job, first: &Run, looks: u64) -> u32 {
    match &first.result {
        Err(_) => 1,
        Ok(outcome) if looks > 0 && outcome.is_wrong() => {
            (LOOKS / looks).max(FEWEST_RUNS).min(u64::from(job.runs)) as u32
        }
        Ok(_) => job.runs,
    }
}

/// What a launch that has ended gave.
fn outcome(job: &Job, number: u32, loaded: &mut Loaded, report: LaunchReport) -> Run {
    let mut inputs = job.buffers.iter().enumerate().filter(|(_, buffer)| buffer.read_only);
    let wrote_inputs = inputs.any(|(index, _)| !loaded.is_untouched(index));
    let result = match &report.fault {
        Some(fault) => Err(Halt::Fault(fault.clone())),
        None => Ok(RunOutcome {
            comparisons: job
                .wanted
                .iter()
                .map(|w| compare(loaded.read(w.buffer, w.want.len()), &w.want, job.buffers[w.buffer].ty))
                .collect(),
            changed: restore_inputs(job, loaded),
        }),
    };
    Run {
        number,
        result,
        printed: report.printf,
        printed_cut: report.printf_truncated,
        thread_instructions: report.thread_instructions,
        warp_instructions: report.warp_instructions,
        wrote_inputs,
    }
}

impl Run {
    fn leaves_inputs_alone(&self) -> bool {
        self.result.is_ok() && !self.wrote_inputs
    }

    fn out_of_time(number: u32) -> Run {
        Run {
            number,
            result: Err(Halt::Deadline),
            printed: String::new(),
            printed_cut: false,
            thread_instructions: 0,
            warp_instructions: 0,
            wrote_inputs: false,
        }
    }
}

/// Whose doing a fault is.
fn stop_kind(fault: &Fault) -> StopKind {
    match fault.kind {
        FaultKind::Unsupported { .. } => StopKind::Unsupported,
        _ => StopKind::Kernel,
    }
}

/// Compares read-only buffers with the host's copy, and puts back what was changed.
fn restore_inputs(job: &Job, loaded: &mut Loaded) -> BTreeMap<String, u64> {
    let mut changed = BTreeMap::new();
    for (index, buffer) in job.buffers.iter().enumerate().filter(|(_, b)| b.read_only) {
        if loaded.is_untouched(index) {
            continue;
        }
        let now = loaded.read(index, buffer.contents.len());
        if now == buffer.contents.as_slice() {
            continue;
        }
        let at = now.iter().zip(buffer.contents.iter()).position(|(a, b)| a != b).unwrap_or(0);
        changed.insert(buffer.name.clone(), at as u64 / u64::from(buffer.ty.bytes()));
        loaded.fill(index, &buffer.contents);
    }
    changed
}

/// Runs in order, up to the first that was stopped.
fn gather(mut runs: Vec<Run>) -> SiteOutcome {
    runs.sort_by_key(|run| run.number);
    let mut outcome = SiteOutcome::default();
    for run in runs {
        outcome.thread_instructions += run.thread_instructions;
        if run.number == 0 || (outcome.printed.is_empty() && !run.printed.is_empty()) {
            outcome.printed = run.printed;
            outcome.printed_cut = run.printed_cut;
        }
        match run.result {
            Ok(done) => outcome.runs.push(done),
            Err(halt) => {
                outcome.halted = Some((run.number, halt));
                break;
            }
        }
    }
    outcome
}
