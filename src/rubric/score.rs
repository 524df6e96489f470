//! All criteria of one grading, and their sum.

use super::criteria::{self, Case, Judged};
use super::{CriterionKind, ExerciseRubric};
use crate::exercise::Exercise;
use crate::record::{Criterion, CriterionState, Graded, Score, Status};

/// Scores a grading that has everything but its score. Reads the record alone: `answers` must have been recorded.
///
/// A fault gives no criteria and no score: our failure is nobody's zero.
pub fn score(
    rubric: &ExerciseRubric,
    exercise: &Exercise,
    graded: &Graded,
) -> (Vec<Criterion>, Option<Score>) {
    if graded.status == Status::Fault {
        return (Vec::new(), None);
    }
    let case = Case { exercise, graded };
    let mut judged = Vec::new();
    for plan in &rubric.criteria {
        let Judged { share, mut state, reason, see } = criteria::judge(&plan.kind, &case);
        if plan.provisional && state == CriterionState::Auto {
            state = CriterionState::Provisional;
        }
        if plan.kind == CriterionKind::Manual {
            state = CriterionState::Manual;
        }
        judged.push(Criterion {
            id: plan.id.clone(),
            title: plan.title.clone(),
            points: cents(plan.points * share.clamp(0.0, 1.0)),
            max: plan.points,
            state,
            reason,
            see,
            questions: plan.kind.questions(),
        });
    }
    let waits = |criterion: &Criterion| criterion.state != CriterionState::Auto;
    let score = Score {
        points: cents(judged.iter().map(|criterion| criterion.points).sum()),
        max: rubric.points,
        provisional: graded.status == Status::Rejected || judged.iter().any(waits),
    };
    (judged, Some(score))
}

/// Points have two decimals, as gradebooks do.
fn cents(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}
