//! Records of gradings that gave no rows, and what a record's exit code is.

use std::collections::BTreeMap;

use crate::exercise::Exercise;
use crate::record::{Graded, SCHEMA, Score, Status};

/// A record with nothing in it yet.
pub(super) fn blank(exercise: &str, title: &str) -> Graded {
    Graded {
        schema: SCHEMA.to_owned(),
        exercise: exercise.to_owned(),
        title: title.to_owned(),
        status: Status::Graded,
        message: String::new(),
        score: None,
        criteria: Vec::new(),
        edits: Vec::new(),
        ignored: Vec::new(),
        notices: Vec::new(),
        configurations: Vec::new(),
        answers: Vec::new(),
        hints: Vec::new(),
        sources: Vec::new(),
        inputs: Vec::new(),
        sanitizer: None,
        versions: BTreeMap::new(),
        timing: BTreeMap::new(),
    }
}

/// The grader failed before it had looked at the submission.
pub fn not_begun(exercise: &Exercise, reason: impl Into<String>) -> Graded {
    fault(blank(&exercise.id, &exercise.title), reason)
}

/// Nothing in the submission could be graded; a person should look. `graded` keeps what is known of it.
pub fn rejected(mut graded: Graded, message: impl Into<String>) -> Graded {
    graded.status = Status::Rejected;
    graded.message = message.into();
    let max = graded.score.map_or(0.0, |score| score.max);
    graded.score = Some(Score { points: 0.0, max, provisional: true });
    graded
}

/// The grader failed: no score, and nobody's zero.
pub fn fault(mut graded: Graded, message: impl Into<String>) -> Graded {
    graded.status = Status::Fault;
    graded.message = message.into();
    graded.score = None;
    graded.criteria.clear();
    graded
}

/// The documented exit code of a grading: 0 every gate held, 1 one did not (or nothing could be graded), 3 fault.
pub fn exit_code(graded: &Graded) -> u8 {
    match graded.status {
        Status::Fault => 3,
        Status::Rejected => 1,
        Status::Graded => u8::from(!graded.configurations.iter().all(|c| c.gates_held)),
    }
}
