//! Whether the experiment was done: its program was handed in, or its count was answered.

use super::case::{Case, Judged};
use crate::exercise::QuestionKind;
use crate::record::AnswerRecord;

pub fn handed_in(case: &Case<'_>, configuration: &str) -> Judged {
    let title = case.title(configuration);
    let is_students = |origin: &str| {
        !origin.is_empty()
            && (case.graded.inputs.iter().any(|input| input.file == origin)
                || case.graded.sources.iter().any(|source| source.file == origin))
    };
    // A handed-in program is one configuration. Where it is the origin of an earlier one too, the grader made this one
    // from it.
    let elsewhere = |origin: &str| {
        let known = case.graded.configurations.iter().filter(|record| !record.hidden);
        let mut earlier = known.take_while(|record| record.name != configuration);
        earlier.any(|record| record.origin == origin)
    };
    let records = case.records(configuration);
    let handed_in = |origin: &str| is_students(origin) && !elsewhere(origin);
    if let Some(record) = records.iter().find(|record| handed_in(&record.origin)) {
        return Judged::decided(1.0, format!("Handed in: {title}, in {}.", record.origin));
    }
    if let Some(answer) = counted(case, configuration) {
        let reason = format!("No program was handed in for this: {title}. Its count was: {}.", answer.given);
        return Judged::decided(1.0, reason);
    }
    Judged::decided(0.0, format!("Neither a program nor a count was handed in for this: {title}."))
}

/// A well-formed count of the configuration.
fn counted<'a>(case: &Case<'a>, configuration: &str) -> Option<&'a AnswerRecord> {
    case.graded.answers.iter().find(|answer| {
        let question = case.exercise.questions.iter().find(|question| question.id == answer.id);
        let about = question.is_some_and(|question| {
            matches!(&question.kind, QuestionKind::Count { configuration: of, .. } if of == configuration)
        });
        about && answer.form == "ok"
    })
}
