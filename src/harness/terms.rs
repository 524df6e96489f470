//! On what terms verdicts and rows of the embedded device are worked out, and the working out itself.

use std::time::Instant;

use super::oracle::Oracle;
use super::plan::{PlannedExpect, PlannedRow, PlannedWant};
use super::session::SessionError;
use crate::device::embedded::{
    CheckBuffer, CheckLaunch, CheckOptions, CheckPlan, Checked, EmbeddedProgram, LAUNCH_BUDGET,
};
use crate::device::{Job, Wanted};
use crate::model::{Options, WatchPlan};
use crate::record::Severity;

/// What a person can choose, the same for all rows of a grading.
#[derive(Debug, Clone)]
pub struct Terms {
    /// Schedule of run 0.
    pub seed: u64,
    /// Schedules of a verdict; `None` chooses by the kernel's size.
    pub seeds: Option<u32>,
    pub model: Options,
    /// Warp instructions of one launch.
    pub budget: u64,
    pub deadline: Option<Instant>,
}

impl Default for Terms {
    fn default() -> Self {
        Terms { seed: 0, seeds: None, model: Options::default(), budget: LAUNCH_BUDGET, deadline: None }
    }
}

impl Terms {
    /// Checks one kernel (by PTX name) as all of `rows` launch it: the sizes of a sweep.
    pub fn check(&self, program: &EmbeddedProgram, kernel: &str, rows: &[&PlannedRow]) -> Checked {
        use rayon::prelude::*;
        let Some(first) = rows.first() else { return Checked::default() };
        let options = CheckOptions {
            model: self.model_of(first),
            first_seed: self.seed,
            seeds: self.seeds,
            thorough: false,
            budget: self.budget,
            deadline: self.deadline,
        };
        let all: Vec<Checked> =
            rows.par_iter().map(|row| program.check(&check_plan(row, kernel), &options)).collect();
        let mut all = all.into_iter();
        let mut checked = all.next().unwrap_or_default();
        all.for_each(|one| checked.absorb(one));
        checked
    }

    /// The job of a row, for a kernel's PTX name: repeat 0 uses the first schedules, repeat 1 those after them.
    pub fn job<'a>(
        &self,
        row: &'a PlannedRow,
        kernel: &'a str,
        repeat: u32,
        wanted: &'a [Wanted],
        stale: Option<&'a WatchPlan>,
    ) -> Job<'a> {
        Job {
            kernel,
            title: &row.kernel,
            grid: row.grid,
            block: row.block,
            dynamic_shared: row.dynamic_shared,
            buffers: &row.buffers,
            arguments: &row.arguments,
            wanted,
            runs: row.runs,
            first_seed: self.seed + u64::from(repeat) * u64::from(row.runs),
            stale,
            budget: self.budget,
            deadline: self.deadline,
        }
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

/// What a row's buffers must hold.
pub fn wanted(row: &PlannedRow, oracle: Option<&Oracle>) -> Result<Vec<Wanted>, SessionError> {
    let want = |expect: &PlannedExpect| {
        let want = match (&expect.want, oracle) {
            (PlannedWant::Bytes(bytes), _) => bytes.clone(),
            (want, Some(oracle)) => oracle.want(want)?,
            (_, None) => return Err(SessionError::NoOracle),
        };
        Ok(Wanted { buffer: expect.buffer, want })
    };
    row.expect.iter().map(want).collect()
}

/// The row's launch as the checker wants it.
fn check_plan(row: &PlannedRow, kernel: &str) -> CheckPlan {
    let buffers = row.buffers.iter().map(|buffer| CheckBuffer {
        name: buffer.name.clone(),
        bytes: buffer.contents.len() as u64,
        element: buffer.ty.bytes(),
        contents: buffer.contents.clone(),
        initialised: if buffer.poisoned { 0 } else { buffer.contents.len() as u64 },
        read_only: buffer.read_only,
    });
    let launch = CheckLaunch {
        kernel: kernel.to_owned(),
        title: row.kernel.clone(),
        grid: row.grid,
        block: row.block,
        dynamic_shared: row.dynamic_shared,
        arguments: row.arguments.clone(),
    };
    CheckPlan { buffers: buffers.collect(), launches: vec![launch] }
}
