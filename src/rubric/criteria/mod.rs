//! One file a kind of criterion: what share of its points a grading earns, and why, in a student's words.

mod answers;
mod case;
mod edit;
mod gate;
mod sentence;
mod verdict;

pub use case::{Case, Judged};

use super::CriterionKind;

/// Judges one criterion.
pub fn judge(kind: &CriterionKind, case: &Case<'_>) -> Judged {
    match kind {
        CriterionKind::Gate { configuration, kernel } => gate::visible(case, configuration, kernel),
        CriterionKind::Hidden { kernels } => gate::hidden(case, kernels),
        CriterionKind::Verdict { configuration, kernel } => verdict::defined(case, configuration, kernel),
        CriterionKind::Rule { configuration, kernel, rule } => {
            verdict::rule(case, configuration, kernel, rule)
        }
        CriterionKind::NoErrors { configuration, kernels } => {
            verdict::no_errors(case, configuration, kernels)
        }
        CriterionKind::Edit { configuration } => edit::handed_in(case, configuration),
        CriterionKind::Answers { questions } => answers::all(case, questions),
        CriterionKind::Sentence { question } => sentence::ideas(case, question),
        CriterionKind::Manual => Judged::waiting(0.0, "A person gives these points."),
    }
}
