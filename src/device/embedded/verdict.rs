//! The verdict pass: the checker watches every access of a plan of launches, under several schedules.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::execute::{Call, Loaded};
use super::program::EmbeddedProgram;
use crate::device::JobArgument;
use crate::model::{Checker, Options, RawFinding, Report, Side, Tables, Violation, WatchPlan};
use crate::record::{KernelVerdict, Severity, Verdict};
use crate::rules;
use crate::simt::{FaultKind, Site};

/// Warp instructions that a verdict may spend on schedules beyond the first two.
const WORK: u64 = 6_000_000;
/// Schedules of a kernel that is small, and of one that is large.
const MOST_SCHEDULES: u32 = 16;
const FEWEST_SCHEDULES: u32 = 2;
/// What a thorough check may spend on more schedules than [`MOST_SCHEDULES`], and how many it tries at most: in a tiny
/// kernel, what matters may need several threads to meet in one order out of many.
const THOROUGH_WORK: u64 = 400_000;
const THOROUGH_SCHEDULES: u32 = 256;
/// Bytes of buffers that take as long to set up as a warp instruction.
const BYTES_AN_INSTRUCTION: u64 = 256;
/// Where cooperative groups' implementation lies.
const GROUPS: &str = "cooperative_groups/details/";

/// Launches in order on the same buffers, from fresh buffers each time.
#[derive(Debug, Clone, Default)]
pub struct CheckPlan {
    pub buffers: Vec<CheckBuffer>,
    pub launches: Vec<CheckLaunch>,
}

/// Device memory of a check.
#[derive(Debug, Clone)]
pub struct CheckBuffer {
    pub name: String,
    pub bytes: u64,
    /// Element size in bytes, for messages.
    pub element: u32,
    /// What the host put at its start.
    pub contents: Arc<Vec<u8>>,
    /// Bytes that count as initialised, from the start: poison is content that nobody may read.
    pub initialised: u64,
    /// An input: no kernel is expected to write it.
    pub read_only: bool,
}

#[derive(Debug, Clone)]
pub struct CheckLaunch {
    /// PTX name, and the source's.
    pub kernel: String,
    pub title: String,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    pub arguments: Vec<JobArgument>,
}

/// How thoroughly to check.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    pub model: Options,
    /// The first schedule; others follow by one.
    pub first_seed: u64,
    /// Schedules; `None` chooses by the work of the first.
    pub seeds: Option<u32>,
    /// Whether to choose many for tiny kernels.
    pub thorough: bool,
    /// Warp instructions that one launch may take.
    pub budget: u64,
    pub deadline: Option<Instant>,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            model: Options::default(),
            first_seed: 0,
            seeds: None,
            thorough: false,
            budget: super::LAUNCH_BUDGET,
            deadline: None,
        }
    }
}

/// What the checker saw over all schedules of one or more plans of one program.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Checked {
    pub report: Report,
    pub watch: WatchPlan,
    /// Schedules not run because the deadline came first.
    pub cut: bool,
}

impl EmbeddedProgram {
    /// Runs the plan under several schedules with everything watched.
    pub fn check(&self, plan: &CheckPlan, options: &CheckOptions) -> Checked {
        let tables = Mutex::default();
        let as_expected = AtomicBool::new(true);
        let once = |seed| self.check_as_expected(plan, options, seed, &tables, &as_expected);
        // Two schedules are made of anything: of a large kernel beside each other, for they take longest.
        let (first, second) = if options.seeds == Some(1) {
            (once(options.first_seed), None)
        } else {
            rayon::join(|| once(options.first_seed), || Some(once(options.first_seed.wrapping_add(1))))
        };
        let work = first.work.max(1);
        let seeds = options.seeds.unwrap_or_else(|| {
            let afford = |work: u64, cost: u64| u32::try_from(work / cost).unwrap_or(u32::MAX);
            let usual = afford(WORK, work).clamp(FEWEST_SCHEDULES, MOST_SCHEDULES);
            if !options.thorough {
                return usual;
            }
            let set_up = plan.buffers.iter().map(|b| b.bytes).sum::<u64>() / BYTES_AN_INSTRUCTION;
            usual.max(afford(THOROUGH_WORK, work + set_up).min(THOROUGH_SCHEDULES))
        });
        let stopped = first.stopped;
        let mut checked = first.checked;
        // A launch that was stopped at its budget would be at every seed's; one schedule has cost enough.
        let (second, more) = if stopped { (None, 2..2) } else { (second, 2..u64::from(seeds)) };
        let others: Vec<Once> =
            more.into_par_iter().map(|n| once(options.first_seed.wrapping_add(n))).collect();
        for once in second.into_iter().chain(others) {
            checked.absorb(once.checked);
        }
        checked.report.findings.retain(|f| !self.is_of_groups(f));
        checked
    }

    /// A race inside cooperative groups' own code, with itself: nothing that a user could mend. (The reduction of groups of
    /// several warps orders lanes by a shuffle, which by the letter of PTX orders nothing.)
    fn is_of_groups(&self, finding: &RawFinding) -> bool {
        let within = |side: &Side| {
            let source = side.site.and_then(|site| self.program.source(site));
            let innermost = source.as_ref().and_then(|source| source.frames.first());
            // What copies, copies what the user says.
            innermost.is_some_and(|f| f.file.contains(GROUPS) && !f.file.ends_with("async.h"))
        };
        matches!(finding.violation, Violation::Race(_))
            && within(&finding.first)
            && finding.second.as_ref().is_some_and(within)
    }

    /// One schedule, in which inputs are not expected to be written for as long as they are not.
    fn check_as_expected(
        &self,
        plan: &CheckPlan,
        options: &CheckOptions,
        seed: u64,
        tables: &Mutex<Vec<Tables>>,
        as_expected: &AtomicBool,
    ) -> Once {
        let expected = as_expected.load(Ordering::Relaxed);
        if let Some(once) = self.check_once(plan, options, seed, tables, expected) {
            return once;
        }
        as_expected.store(false, Ordering::Relaxed);
        self.check_once(plan, options, seed, tables, false).unwrap_or_default()
    }

    /// One schedule. The tables of checkers that have done their work are in `tables`. `None` when inputs are expected to
    /// be read only and one was written.
    fn check_once(
        &self,
        plan: &CheckPlan,
        options: &CheckOptions,
        seed: u64,
        tables: &Mutex<Vec<Tables>>,
        as_expected: bool,
    ) -> Option<Once> {
        let mut once = Once::default();
        if options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            once.checked.cut = true;
            return Some(once);
        }
        let buffers = plan.buffers.iter().map(|b| (b.name.as_str(), b.bytes, b.element));
        let mut loaded = Loaded::new(&self.program, buffers);
        let free = || tables.lock().unwrap_or_else(PoisonError::into_inner);
        let known = free().pop();
        let mut checker = Checker::new(options.model.clone()).reusing(known.unwrap_or_default());
        checker.begin_run(seed);
        for (index, buffer) in plan.buffers.iter().enumerate() {
            let filled = buffer.initialised.min(buffer.bytes);
            loaded.fill(index, &buffer.contents);
            let base = loaded.addresses[index];
            if as_expected && buffer.read_only {
                checker.expect_only_reads(base);
            }
            if filled > 0 {
                checker.initialised(base, filled);
            }
            if filled < buffer.bytes {
                checker.uninitialised(base + filled, buffer.bytes - filled);
            }
        }
        for launch in &plan.launches {
            let call = Call {
                kernel: &launch.kernel,
                grid: launch.grid,
                block: launch.block,
                dynamic_shared: launch.dynamic_shared,
                arguments: &launch.arguments,
                seed,
                budget: options.budget,
                checkpoints: None,
            };
            let report = loaded.launch(&call, &mut checker);
            once.work += report.warp_instructions;
            if let Some(fault) = &report.fault {
                checker.fault(fault);
                once.stopped = matches!(fault.kind, FaultKind::StepBudget { .. });
                break;
            }
        }
        once.checked.watch = checker.watch_plan();
        once.checked.report = checker.report().clone();
        let repeat = checker.has_to_repeat();
        free().push(checker.into_tables());
        (!repeat).then_some(once)
    }

    /// The verdict of one kernel from what was seen, in words. `launches` are the geometries, in words.
    pub fn verdict(
        &self,
        title: &str,
        kernel: &str,
        checked: &Checked,
        launches: Vec<String>,
    ) -> KernelVerdict {
        let mut verdict = rules::verdict(title, &checked.report, &self.places(kernel), launches);
        if checked.report.runs == 0 && verdict.verdict == Verdict::Defined {
            verdict.verdict = Verdict::Unknown;
            verdict.reason = Some("the time limit ran out before the checker could begin".to_owned());
        }
        verdict
    }

    /// One verdict for each kernel of a plan, in the order of their first launch. A finding belongs to the kernel in
    /// which it showed.
    pub fn verdicts(&self, plan: &CheckPlan, checked: &Checked) -> Vec<KernelVerdict> {
        let mut launches: Vec<(&CheckLaunch, Vec<String>)> = Vec::new();
        for launch in &plan.launches {
            let shape = launch_words(launch.grid, launch.block);
            match launches.iter_mut().find(|(first, _)| first.kernel == launch.kernel) {
                Some((_, shapes)) if shapes.contains(&shape) => {}
                Some((_, shapes)) => shapes.push(shape),
                None => launches.push((launch, vec![shape])),
            }
        }
        let alone = launches.len() == 1;
        let kernels: BTreeSet<&str> = launches.iter().map(|(launch, _)| launch.kernel.as_str()).collect();
        launches
            .into_iter()
            .map(|(launch, shapes)| {
                // What shows in a function that several kernels call is told of each of them.
                let belongs = |site: Option<Site>| {
                    let holder = site.and_then(|s| self.function(s));
                    alone || holder.is_none_or(|f| f == launch.kernel || !kernels.contains(f))
                };
                let mut own = checked.clone();
                own.report.findings.retain(|f| belongs(f.first.site));
                own.report.unknown.retain(|u| belongs(u.site));
                self.verdict(&launch.title, &launch.kernel, &own, shapes)
            })
            .collect()
    }
}

/// One schedule.
#[derive(Default)]
struct Once {
    checked: Checked,
    work: u64,
    stopped: bool,
}

impl Checked {
    /// Adds what other schedules, or the same kernel at another size, have shown.
    pub fn absorb(&mut self, other: Checked) {
        let Report { findings, unknown, launches, runs, accesses } = other.report;
        self.report.findings.extend(findings);
        for entry in unknown {
            if !self.report.unknown.iter().any(|u| u.site == entry.site && u.reason == entry.reason) {
                self.report.unknown.push(entry);
            }
        }
        self.report.launches += launches;
        self.report.runs += runs;
        self.report.accesses += accesses;
        self.watch.watch.extend(other.watch.watch);
        self.watch.splits.extend(other.watch.splits);
        self.cut |= other.cut;
    }

    /// Whether any access raced, so that rows should be run with old values where they are allowed.
    pub fn raced(&self) -> bool {
        !self.watch.is_empty() && self.report.findings.iter().any(|f| f.severity != Severity::Note)
    }
}

/// `1024 x 256`, `(4, 4) x 32`.
pub fn launch_words(grid: [u32; 3], block: [u32; 3]) -> String {
    let words = |size: [u32; 3]| match size {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("({x}, {y})"),
        [x, y, z] => format!("({x}, {y}, {z})"),
    };
    format!("{} x {}", words(grid), words(block))
}
