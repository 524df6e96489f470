//! Runs configurations: verdicts first, then rows, each distinct program once.
//!
//! A verdict costs one watched execution for each schedule; rows of a kernel that raced are then run with old values
//! where the model allows them, all others on the plain device. A kernel that is the same program in two
//! configurations, launched alike, is neither checked nor run again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::elsewhere::{Asked, Elsewhere, Told, Work};
use super::gates::failure;
use super::oracle::{Oracle, OracleError};
use super::plan::PlannedRow;
use super::program::BuiltProgram;
use super::row::{MeasuredRow, measure};
use super::stopped::with_what_is_known;
use super::terms::{Terms, wanted};
use super::transcript::{Transcript, transcript};
use crate::device::embedded::{Checked, Layout, NAME};
use crate::device::{Device, DeviceError, JobOutcome, StopKind};
use crate::exercise::Exercise;
use crate::model::WatchPlan;
use crate::record::{ConfigurationRecord, ExpectedFinding, KernelVerdict, Row};

/// What all configurations of one grading share.
pub struct Session<'a> {
    /// What rows run on, in order.
    pub devices: &'a [Arc<dyn Device>],
    pub oracle: Option<&'a Oracle>,
    /// Whether kernels are checked before rows run.
    pub verdicts: bool,
    pub terms: Terms,
    /// Who works out verdicts and the embedded device's rows of an exercise; `None`: this process.
    pub elsewhere: Option<(&'a Exercise, &'a dyn Elsewhere)>,
    known: Mutex<Known>,
}

/// What has been found out already, by program and launch; with the configuration that it was found in.
#[derive(Default)]
struct Known {
    verdicts: BTreeMap<String, (Checked, Layout, Option<WatchPlan>)>,
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
    /// The hidden instance's own name.
    pub instance: Option<String>,
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
            terms: Terms::default(),
            elsewhere: None,
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
            program: program_hash(prepared),
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
        let kernel =
            program.lowered(&row.kernel).ok_or_else(|| SessionError::NoKernel(row.kernel.clone()))?;
        let embedded = self.devices[device].name() == NAME;
        let known = verdicts.iter().find(|v| v.label == row.label);
        let verdict = known.filter(|v| embedded && v.checked.raced());
        let stale = verdict.map(|v| &v.checked.watch);
        let outcome = match &self.elsewhere {
            Some(elsewhere) if embedded => {
                let stale = verdict.and_then(|v| v.asked_watch.clone());
                let work = Work::Row { index: row.index, repeat: task.repeat, stale };
                self.row_elsewhere(elsewhere, prepared, (program, &row.kernel, kernel), work)?
            }
            _ => {
                let wanted = wanted(row, self.oracle)?;
                let job = self.terms.job(row, kernel, task.repeat, &wanted, stale);
                match &program.loaded[device] {
                    Ok(loaded) => loaded.run(&job)?,
                    Err(DeviceError::Build(words)) => {
                        JobOutcome::never_begun(DeviceError::Build(words.clone()).to_string())
                    }
                    Err(error) => return Err(error.clone().into()),
                }
            }
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

    /// A row that somebody else runs; what it says of lines is said here.
    fn row_elsewhere(
        &self,
        elsewhere: &(&Exercise, &dyn Elsewhere),
        prepared: &Prepared,
        (program, name, kernel): (&BuiltProgram, &str, &str),
        work: Work,
    ) -> Result<JobOutcome, SessionError> {
        match ask(elsewhere, prepared, (program, name, kernel), work)? {
            Told::Row(outcome, layout) => {
                let own = program.embedded.layout();
                Ok(program.embedded.told(layout.translate_outcome(&outcome, &own), kernel))
            }
            Told::Verdict(..) => Err(odd_answer()),
        }
    }

    /// Computes what rows will be compared with.
    fn consult_oracle(&self, prepared: &Prepared) -> Result<(), SessionError> {
        if self.elsewhere.is_some() && self.devices.iter().all(|device| device.name() == NAME) {
            return Ok(());
        }
        let mut needed = prepared.rows.iter().filter(|row| row.gated || !prepared.hidden);
        needed.try_for_each(|row| wanted(row, self.oracle).map(drop))
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
        let layout = program.embedded.layout();
        let (checked, asked_watch) = match (known, &self.elsewhere) {
            // Told anew of this program: the lines are those of this configuration's own file.
            (Some((checked, old, watch)), _) => (old.translate(&checked, &layout), watch),
            (None, Some(elsewhere)) => {
                let work = Work::Verdict { label: label.to_owned() };
                match ask(elsewhere, prepared, (program, &first.kernel, lowered), work)? {
                    Told::Verdict(checked, old) => (old.translate(&checked, &layout), Some(checked.watch)),
                    Told::Row(..) => return Err(odd_answer()),
                }
            }
            (None, None) => (self.terms.check(&program.embedded, lowered, &rows), None),
        };
        let mut launches: Vec<String> = rows.iter().map(|row| row.launch()).collect();
        launches.dedup();
        let verdict = program.embedded.verdict(label, lowered, &checked, launches);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.verdicts.entry(key).or_insert_with(|| (checked.clone(), layout, asked_watch.clone()));
        Ok(LabelVerdict { label: label.to_owned(), verdict, checked, asked_watch })
    }
}

/// Asks somebody else of a kernel by its C++ and its PTX name.
fn ask(
    (exercise, elsewhere): &(&Exercise, &dyn Elsewhere),
    prepared: &Prepared,
    (program, name, kernel): (&BuiltProgram, &str, &str),
    work: Work,
) -> Result<Told, SessionError> {
    let text = program.kernel(name).ok_or_else(|| SessionError::NoKernel(name.to_owned()))?.text.clone();
    let constants = prepared.programs.first().map(|(_, first)| &first.constants.whole);
    let value = |name: &String| Some((name.clone(), constants?.get(name)?));
    Ok(elsewhere.ask(&Asked {
        exercise: exercise.id.clone(),
        instance: prepared.instance.clone(),
        constants: exercise.constants.keys().filter_map(value).collect(),
        program: text,
        kernel: kernel.to_owned(),
        work,
    })?)
}

fn odd_answer() -> SessionError {
    DeviceError::Failed("the worker that runs kernels answered something else than it was asked".to_owned())
        .into()
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
    /// In the sites of the configuration's program.
    checked: Checked,
    /// What raced, in the sites of the program that somebody else was asked about.
    asked_watch: Option<WatchPlan>,
}

/// One hash for all programs of a configuration.
fn program_hash(prepared: &Prepared) -> String {
    let mut hasher = blake3::Hasher::new();
    for (_, program) in prepared.programs {
        for hash in program.hashes() {
            hasher.update(hash.as_bytes());
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

fn program_of<'a>(prepared: &'a Prepared, row: &PlannedRow) -> Option<&'a BuiltProgram> {
    prepared.programs.iter().find(|(defines, _)| *defines == row.defines).map(|(_, program)| program)
}

/// Equal for rows that run the same program in the same way on the same device.
fn row_key(program: &BuiltProgram, row: &PlannedRow, device: usize, repeat: u32) -> String {
    let print = program.kernel(&row.kernel).map(|kernel| kernel.hash.as_str()).unwrap_or_default();
    format!("{device} {repeat} {} {print} {}", row.label, row.identity)
}
