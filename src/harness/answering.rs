//! Answers [`Asked`] questions of one exercise, with plans, programs and oracles kept from one to the next.

use std::sync::Arc;

use super::elsewhere::{Asked, Told, Work};
use super::oracle::{Oracle, OracleError};
use super::plan::PlannedRow;
use super::plans::{PlanTerms, Plans};
use super::session::SessionError;
use super::terms::{Terms, wanted};
use crate::device::DeviceError;
use crate::device::embedded::{Embedded, EmbeddedProgram};
use crate::exercise::{Exercise, Scope};
use crate::nvrtc::{Compiled, Nvrtc};

/// Programs kept: a kernel's verdict and its rows follow each other.
const PROGRAMS_KEPT: usize = 8;

/// Everything that answers of one exercise have in common.
pub struct Answering {
    exercise: Exercise,
    oracle: Option<Oracle>,
    terms: PlanTerms,
    plans: Plans,
    programs: Vec<(String, Arc<EmbeddedProgram>)>,
}

impl Answering {
    /// Compiles the exercise's oracle.
    pub fn new(exercise: Exercise, nvrtc: &Nvrtc, terms: PlanTerms) -> Result<Answering, OracleError> {
        let oracle = Oracle::of(&exercise, nvrtc)?;
        Ok(Answering { exercise, oracle, terms, plans: Plans::default(), programs: Vec::new() })
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

    fn rows(&self, asked: &Asked) -> Result<Arc<Vec<PlannedRow>>, String> {
        let hidden = match &asked.instance {
            Some(name) => {
                let known = self.exercise.instances.iter().find(|instance| instance.name == *name);
                Some(known.ok_or_else(|| format!("there is no instance `{name}`"))?)
            }
            None => None,
        };
        let rows = self.plans.of(&self.exercise, &Scope::from(&asked.constants), hidden, self.terms);
        rows.map_err(|error| error.to_string())
    }

    fn program(&mut self, text: &str) -> Result<Arc<EmbeddedProgram>, DeviceError> {
        if let Some((_, program)) = self.programs.iter().find(|(known, _)| known == text) {
            return Ok(Arc::clone(program));
        }
        let compiled = Compiled { ptx: text.to_owned(), ..Compiled::default() };
        let program = Arc::new(Embedded::default().program(&compiled)?);
        if self.programs.len() >= PROGRAMS_KEPT {
            self.programs.remove(0);
        }
        self.programs.push((text.to_owned(), Arc::clone(&program)));
        Ok(program)
    }
}
