//! Plans that have been made, for submissions that come after: a large input has megabytes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::plan::{PlanError, PlannedRow, plan};
use crate::exercise::{Exercise, Instance, Scope};

/// Plans kept: an exercise has some configurations and hidden instances.
const KEPT: usize = 6;

/// What plans are made from, besides exercise and program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanTerms {
    /// Launches per row instead of the exercise's own number; hidden instances keep theirs.
    pub runs: Option<u32>,
    /// What random fills are made from.
    pub instance_seed: u64,
}

/// Exercise, hidden instance, constants, and the terms.
type Key = (String, Option<String>, BTreeMap<String, i64>, PlanTerms);
type Plan = Arc<Vec<PlannedRow>>;

/// The newest plans. Clones of an [`Arc`] of it share them.
#[derive(Debug, Default)]
pub struct Plans(Mutex<Vec<(Key, Plan)>>);

impl Plans {
    /// The rows of an exercise for a program with these constants.
    ///
    /// # Errors
    /// As [`plan`].
    pub fn of(
        &self,
        exercise: &Exercise,
        constants: &Scope,
        hidden: Option<&Instance>,
        terms: PlanTerms,
    ) -> Result<Plan, PlanError> {
        // Only these can stand in an expression.
        let value = |name: &String| Some((name.clone(), constants.get(name)?));
        let values = exercise.constants.keys().filter_map(value).collect();
        let key = (exercise.id.clone(), hidden.map(|instance| instance.name.clone()), values, terms);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, rows)) = kept.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(rows));
        }
        let mut rows = plan(exercise, constants, hidden, terms.instance_seed)?;
        if let Some(runs) = terms.runs.filter(|_| hidden.is_none()) {
            rows.iter_mut().for_each(|row| row.runs = runs.max(1));
        }
        let rows = Arc::new(rows);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&rows)));
        Ok(rows)
    }
}
