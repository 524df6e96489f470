//! Runs configurations: verdicts first, then rows, each distinct program once.
//!
//! A verdict costs one watched execution for each schedule; rows of a kernel that raced are then run with old values
//! where the model allows them, all others on the plain device. A kernel that is the same program in two
//! configurations, launched alike, is neither checked nor run again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::gates::failure;
use super::oracle::{Oracle, OracleError};
use super::plan::PlannedRow;
use super::program::BuiltProgram;
use super::row::{MeasuredRow, measure};
use super::stopped::with_what_is_known;
use super::transcript::{Transcript, transcript};
use crate::device::embedded::{CheckBuffer, CheckLaunch, CheckOptions, CheckPlan, Checked, Layout, NAME};
use crate::device::{Device, DeviceError, Job, JobOutcome, StopKind, Wanted};
use crate::model::Options;
use crate::record::{ConfigurationRecord, ExpectedFinding, KernelVerdict, Row, Severity};

/// What all configurations of one grading share.
pub struct Session<'a> {
    /// What rows run on, in order.
    pub devices: &'a [Arc<dyn Device>],
    pub oracle: Option<&'a Oracle>,
    /// Whether kernels are checked before rows run.
    pub verdicts: bool,
    /// Schedule of run 0.
    pub seed: u64,
    /// Schedules of a verdict; `None` chooses by the kernel's size.
    pub seeds: Option<u32>,
    pub model: Options,
    /// Warp instructions of one launch.
    pub budget: u64,
    pub deadline: Option<Instant>,
    known: Mutex<Known>,
}

/// What has been found out already, by program and launch; with the configuration that it was found in.
#[derive(Default)]
struct Known {
    verdicts: BTreeMap<String, (Checked, Layout)>,
    rows: BTreeMap<String, (String, MeasuredRow)>,
}

/// A configuration, built and planned.
pub struct Prepared<'a> {
    pub name: String,
    pub title: String,
    /// File it came from, or `template`.
    pub origin: String,
    /// One program for each set of defines that rows ask for; all rows' programs are there.
    pub programs: &'a [(Vec<(String, String)>, BuiltProgram)],
    pub rows: Vec<PlannedRow>,
    /// Times that rows are run which no earlier configuration has run.
    pub repeat: u32,
    pub expects: Vec<ExpectedFinding>,
    /// Only gated rows, no verdicts: a hidden instance.
    pub hidden: bool,
}

/// Why a configuration could not be run at all: ours, or the exercise author's.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Oracle(#[from] OracleError),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error("the exercise has no oracle file, and a row asks for one")]
    NoOracle,
    #[error("the program has no kernel `{0}`")]
    NoKernel(String),
}

/// What running a configuration gave.
#[derive(Debug, Clone, Default)]
pub struct Ran {
    /// One for each device.
    pub records: Vec<ConfigurationRecord>,
    /// Time spent on verdicts, and on rows.
    pub check: Duration,
    pub run: Duration,
    /// A gated row that no device could run, for want of something on our side: why. It must not cost points.
    pub beyond_us: Option<String>,
}

impl<'a> Session<'a> {
    pub fn new(devices: &'a [Arc<dyn Device>], oracle: Option<&'a Oracle>) -> Session<'a> {
        Session {
            devices,
            oracle,
            verdicts: true,
            seed: 0,
            seeds: None,
            model: Options::default(),
            budget: crate::device::embedded::LAUNCH_BUDGET,
            deadline: None,
            known: Mutex::default(),
        }
    }

    /// Runs a configuration on every device.
    pub fn run(&self, prepared: &Prepared) -> Result<Ran, SessionError> {
        let mut ran = Ran::default();
        let begun = Instant::now();
        // The oracle runs on one thread: beside the verdicts it costs no time.
        let (verdicts, oracle) = rayon::join(|| self.verdicts(prepared), || self.consult_oracle(prepared));
        oracle?;
        let verdicts = verdicts?;
        ran.check = begun.elapsed();
        let begun = Instant::now();
        let mut beyond: Vec<Option<String>> = Vec::new();
        for device in 0..self.devices.len() {
            // The verdict stands with the rows of the first device: it is the model's, whatever the rows run on.
            let shown = if device == 0 { verdicts.as_slice() } else { &[] };
            let (record, reason) = self.record(prepared, device, shown, &verdicts)?;
            ran.records.push(record);
            beyond.push(reason);
        }
        if beyond.iter().all(Option::is_some) {
            ran.beyond_us = beyond.into_iter().next().flatten();
        }
        ran.run = begun.elapsed();
        Ok(ran)
    }

    fn record(
        &self,
        prepared: &Prepared,
        device: usize,
        shown: &[LabelVerdict],
        verdicts: &[LabelVerdict],
    ) -> Result<(ConfigurationRecord, Option<String>), SessionError> {
        let name = self.devices[device].name();
        let tasks = self.tasks(prepared, device);
        let measured: Vec<MeasuredRow> = tasks
            .par_iter()
            .map(|task| self.measure(prepared, device, task, verdicts))
            .collect::<Result<_, _>>()?;
        let beyond = measured.iter().find(|m| m.row.gated && m.stop == Some(StopKind::Unsupported));
        let beyond = beyond.and_then(|m| m.row.stopped.clone());
        let failures: Vec<String> = measured.iter().filter(|m| m.row.gated).filter_map(failure).collect();
        let rows: Vec<Row> = measured.into_iter().map(|m| m.row).collect();
        let constants = prepared.programs.first().map(|(_, p)| p.constants.shown.clone()).unwrap_or_default();
        let text =
            transcript(Transcript { device: &name, constants: &constants, rows: &rows, failures: &failures });
        let record = ConfigurationRecord {
            name: prepared.name.clone(),
            title: prepared.title.clone(),
            expects: prepared.expects.clone(),
            device: name,
            origin: prepared.origin.clone(),
            rows,
            verdicts: shown.iter().map(|v| v.verdict.clone()).collect(),
            transcript: text,
            constants,
            gates_held: failures.is_empty(),
            failures,
            diagnostics: prepared.programs.iter().flat_map(|(_, p)| p.compiled.diagnostics.clone()).collect(),
            hidden: prepared.hidden,
        };
        Ok((record, beyond))
    }

    /// The rows to run: all of them, and those of programs not seen before as often as the configuration says.
    fn tasks<'p>(&self, prepared: &'p Prepared, device: usize) -> Vec<Task<'p>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tasks = Vec::new();
        for row in &prepared.rows {
            if prepared.hidden && !row.gated {
                continue;
            }
            let program = program_of(prepared, row);
            let key = program.map(|p| row_key(p, row, device, 0)).unwrap_or_default();
            let repeats = if known.rows.contains_key(&key) { 1 } else { prepared.repeat.max(1) };
            tasks.extend((0..repeats).map(|repeat| Task { row, repeat }));
        }
        tasks
    }

    fn measure(
        &self,
        prepared: &Prepared,
        device: usize,
        task: &Task,
        verdicts: &[LabelVerdict],
    ) -> Result<MeasuredRow, SessionError> {
        let row = task.row;
        let gated = row.gated && !prepared.expects.iter().any(|e| e.kernel == row.label);
        let program = program_of(prepared, row).ok_or_else(|| SessionError::NoKernel(row.kernel.clone()))?;
        let key = row_key(program, row, device, task.repeat);
        let before = self.known.lock().unwrap_or_else(PoisonError::into_inner).rows.get(&key).cloned();
        if let Some((configuration, mut measured)) = before {
            measured.row.gated = gated;
            measured.row.same_as = Some(configuration);
            return Ok(measured);
        }
        let known = verdicts.iter().find(|v| v.label == row.label);
        let embedded = self.devices[device].name() == NAME;
        let stale = known.filter(|v| embedded && v.checked.raced()).map(|v| &v.checked.watch);
        let wanted = self.wanted(row)?;
        let job = Job {
            kernel: program.lowered(&row.kernel).ok_or_else(|| SessionError::NoKernel(row.kernel.clone()))?,
            title: &row.kernel,
            grid: row.grid,
            block: row.block,
            dynamic_shared: row.dynamic_shared,
            buffers: &row.buffers,
            arguments: &row.arguments,
            wanted: &wanted,
            runs: row.runs,
            first_seed: self.seed + u64::from(task.repeat) * u64::from(row.runs),
            stale,
            budget: self.budget,
            deadline: self.deadline,
        };
        let outcome = match &program.loaded[device] {
            Ok(loaded) => loaded.run(&job)?,
            Err(DeviceError::Build(words)) => {
                JobOutcome::never_begun(DeviceError::Build(words.clone()).to_string())
            }
            Err(error) => return Err(error.clone().into()),
        };
        let mut measured = measure(row, &outcome, stale.is_some());
        measured.row.gated = gated;
        if let (Some(message), Some(known), false) = (&mut measured.row.stopped, known, embedded)
            && measured.stop == Some(StopKind::Kernel)
        {
            *message = with_what_is_known(message, &known.verdict);
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.rows.insert(key, (prepared.name.clone(), measured.clone()));
        Ok(measured)
    }

    fn wanted(&self, row: &PlannedRow) -> Result<Vec<Wanted>, SessionError> {
        let want = |expect: &super::plan::PlannedExpect| {
            let want = match (&expect.want, self.oracle) {
                (super::plan::PlannedWant::Bytes(bytes), _) => bytes.clone(),
                (want, Some(oracle)) => oracle.want(want)?,
                (_, None) => return Err(SessionError::NoOracle),
            };
            Ok(Wanted { buffer: expect.buffer, want })
        };
        row.expect.iter().map(want).collect()
    }

    /// Computes what rows will be compared with.
    fn consult_oracle(&self, prepared: &Prepared) -> Result<(), SessionError> {
        let mut needed = prepared.rows.iter().filter(|row| row.gated || !prepared.hidden);
        needed.try_for_each(|row| self.wanted(row).map(drop))
    }

    /// One verdict for each label, over all sizes of its sweep. None for a hidden instance.
    fn verdicts(&self, prepared: &Prepared) -> Result<Vec<LabelVerdict>, SessionError> {
        if prepared.hidden || !self.verdicts {
            return Ok(Vec::new());
        }
        let mut labels: Vec<&str> = Vec::new();
        for row in &prepared.rows {
            if !labels.contains(&row.label.as_str()) {
                labels.push(&row.label);
            }
        }
        labels.into_par_iter().map(|label| self.verdict(prepared, label)).collect()
    }

    fn verdict(&self, prepared: &Prepared, label: &str) -> Result<LabelVerdict, SessionError> {
        let rows: Vec<&PlannedRow> = prepared.rows.iter().filter(|row| row.label == label).collect();
        let no_kernel = || SessionError::NoKernel(label.to_owned());
        let first = *rows.first().ok_or_else(no_kernel)?;
        let program = program_of(prepared, first).ok_or_else(no_kernel)?;
        let lowered = program.lowered(&first.kernel).ok_or_else(no_kernel)?;
        let keys: Vec<String> = rows.iter().map(|row| row_key(program, row, 0, 0)).collect();
        let key = format!("{label} {}", keys.join(" "));
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).verdicts.get(&key).cloned();
        let options = CheckOptions {
            model: self.model_of(first),
            first_seed: self.seed,
            seeds: self.seeds,
            thorough: false,
            budget: self.budget,
            deadline: self.deadline,
        };
        let layout = program.embedded.layout();
        let checked = match known {
            // Told anew of this program: the lines are those of this configuration's own file.
            Some((checked, old)) => old.translate(&checked, &layout),
            None => {
                let mut all: Vec<Checked> = rows
                    .par_iter()
                    .map(|row| program.embedded.check(&check_plan(row, lowered), &options))
                    .collect();
                let mut checked = all.remove(0);
                all.into_iter().for_each(|one| checked.absorb(one));
                checked
            }
        };
        let mut launches: Vec<String> = rows.iter().map(|row| row.launch()).collect();
        launches.dedup();
        let verdict = program.embedded.verdict(label, lowered, &checked, launches);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.verdicts.entry(key).or_insert_with(|| (checked.clone(), layout));
        Ok(LabelVerdict { label: label.to_owned(), verdict, checked })
    }

    fn model_of(&self, row: &PlannedRow) -> Options {
        let mut model = self.model.clone();
        match row.barrier_skipped.as_deref() {
            Some("note") => (model.barrier_skipped, model.early_return) = (Severity::Note, Severity::Note),
            Some(_) => (model.barrier_skipped, model.early_return) = (Severity::Error, Severity::Error),
            None => {}
        }
        model
    }
}

/// A row and which repeat of it.
struct Task<'a> {
    row: &'a PlannedRow,
    repeat: u32,
}

/// What the checker says of all rows of one label.
struct LabelVerdict {
    label: String,
    verdict: KernelVerdict,
    checked: Checked,
}

fn program_of<'a>(prepared: &'a Prepared, row: &PlannedRow) -> Option<&'a BuiltProgram> {
    prepared.programs.iter().find(|(defines, _)| *defines == row.defines).map(|(_, program)| program)
}

/// Equal for rows that run the same program in the same way on the same device.
fn row_key(program: &BuiltProgram, row: &PlannedRow, device: usize, repeat: u32) -> String {
    let print = program.fingerprint(&row.kernel).unwrap_or_default();
    format!("{device} {repeat} {} {print} {}", row.label, row.identity)
}

/// The row's launch as the checker wants it.
fn check_plan(row: &PlannedRow, lowered: &str) -> CheckPlan {
    let buffers = row.buffers.iter().map(|buffer| CheckBuffer {
        name: buffer.name.clone(),
        bytes: buffer.contents.len() as u64,
        element: buffer.ty.bytes(),
        contents: buffer.contents.clone(),
        initialised: if buffer.poisoned { 0 } else { buffer.contents.len() as u64 },
    });
    let launch = CheckLaunch {
        kernel: lowered.to_owned(),
        title: row.kernel.clone(),
        grid: row.grid,
        block: row.block,
        dynamic_shared: row.dynamic_shared,
        arguments: row.arguments.clone(),
    };
    CheckPlan { buffers: buffers.collect(), launches: vec![launch] }
}
