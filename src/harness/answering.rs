//! Answers [`Asked`] questions of one exercise, with plans, programs and oracles kept from one to the next.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::elsewhere::{Asked, Told, Work};
use super::oracle::{Oracle, OracleError};
use super::plan::{PlannedRow, plan};
use super::session::SessionError;
use super::terms::{Terms, wanted};
use crate::device::DeviceError;
use crate::device::embedded::{Embedded, EmbeddedProgram};
use crate::exercise::{Exercise, Scope};
use crate::nvrtc::{Compiled, Nvrtc};

/// Plans kept: a large input of an exercise has megabytes.
const PLANS_KEPT: usize = 4;
/// Programs kept: a kernel's verdict and its rows follow each other.
const PROGRAMS_KEPT: usize = 8;

/// What plans are made from, besides exercise and program.
#[derive(Debug, Clone, Copy)]
pub struct PlanTerms {
    /// Launches per row instead of the exercise's own number; hidden instances keep theirs.
    pub runs: Option<u32>,
    /// What random fills are made from.
    pub instance_seed: u64,
}

/// The rows of an exercise for a program with these constants.
///
/// # Errors
/// As [`plan`].
pub fn planned(
    exercise: &Exercise,
    constants: &Scope,
    hidden: Option<&crate::exercise::Instance>,
    terms: PlanTerms,
) -> Result<Vec<PlannedRow>, super::plan::PlanError> {
    let mut rows = plan(exercise, constants, hidden, terms.instance_seed)?;
    if let Some(runs) = terms.runs.filter(|_| hidden.is_none()) {
        rows.iter_mut().for_each(|row| row.runs = runs.max(1));
    }
    Ok(rows)
}

/// A hidden instance's name and a program's constants.
type PlanKey = (Option<String>, BTreeMap<String, i64>);

/// Everything that answers of one exercise have in common.
pub struct Answering {
    exercise: Exercise,
    oracle: Option<Oracle>,
    terms: PlanTerms,
    plans: Vec<(PlanKey, Arc<Vec<PlannedRow>>)>,
    programs: Vec<(String, Arc<EmbeddedProgram>)>,
}

impl Answering {
    /// Compiles the exercise's oracle.
    pub fn new(exercise: Exercise, nvrtc: &Nvrtc, terms: PlanTerms) -> Result<Answering, OracleError> {
        let oracle = Oracle::of(&exercise, nvrtc)?;
        Ok(Answering { exercise, oracle, terms, plans: Vec::new(), programs: Vec::new() })
    }

    /// # Errors
    /// Ours: the asker sends what it has planned and compiled already.
    pub fn answer(&mut self, asked: &Asked, terms: &Terms) -> Result<Told, DeviceError> {
        let failed = |words: String| DeviceError::Failed(words);
        let rows = self.rows(asked).map_err(failed)?;
        let program = self.program(&asked.program)?;
        let layout = program.layout();
        match &asked.work {
            Work::Verdict { label } => {
                let rows: Vec<&PlannedRow> = rows.iter().filter(|row| row.label == *label).collect();
                Ok(Told::Verdict(terms.check(&program, &asked.kernel, &rows), layout))
            }
            Work::Row { index, repeat, stale } => {
                let row = rows.get(*index).ok_or_else(|| failed(format!("there is no row {index}")))?;
                let wanted = wanted(row, self.oracle.as_ref())
                    .map_err(|error: SessionError| failed(error.to_string()))?;
                let job = terms.job(row, &asked.kernel, *repeat, &wanted, stale.as_ref());
                Ok(Told::Row(program.run_row(&job), layout))
            }
        }
    }

    fn rows(&mut self, asked: &Asked) -> Result<Arc<Vec<PlannedRow>>, String> {
        let key = (asked.instance.clone(), asked.constants.clone());
        if let Some((_, rows)) = self.plans.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(rows));
        }
        let hidden = match &asked.instance {
            Some(name) => {
                let known = self.exercise.instances.iter().find(|instance| instance.name == *name);
                Some(known.ok_or_else(|| format!("there is no instance `{name}`"))?)
            }
            None => None,
        };
        let rows = planned(&self.exercise, &Scope::from(&asked.constants), hidden, self.terms);
        let rows = Arc::new(rows.map_err(|error| error.to_string())?);
        keep(&mut self.plans, PLANS_KEPT, (key, Arc::clone(&rows)));
        Ok(rows)
    }

    fn program(&mut self, text: &str) -> Result<Arc<EmbeddedProgram>, DeviceError> {
        if let Some((_, program)) = self.programs.iter().find(|(known, _)| known == text) {
            return Ok(Arc::clone(program));
        }
        let compiled = Compiled { ptx: text.to_owned(), ..Compiled::default() };
        let program = Arc::new(Embedded::default().program(&compiled)?);
        keep(&mut self.programs, PROGRAMS_KEPT, (text.to_owned(), Arc::clone(&program)));
        Ok(program)
    }
}

/// Adds to a list whose oldest entry makes way.
fn keep<T>(list: &mut Vec<T>, most: usize, entry: T) {
    if list.len() >= most {
        list.remove(0);
    }
    list.push(entry);
}
