//! From a grading to points: `rubric.toml`, what each criterion asks, the late policy.
//!
//! Scoring reads the record and nothing else, so it can be done again at any time without running anything.

mod answers;
mod check;
mod criteria;
mod late;
mod load;
mod model;
mod schema;
mod score;

pub use answers::record as record_answers;
pub use late::LatePolicy;
pub use model::{CriterionKind, CriterionPlan, ExerciseRubric, Rubric};
pub use score::score;
