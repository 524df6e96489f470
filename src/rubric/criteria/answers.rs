//! Counts by their form, choices by what is right.

use super::case::{Case, Judged};
use crate::exercise::{Question, QuestionKind, Scope};
use crate::record::CriterionState;

/// Each question has its share.
pub fn all(case: &Case<'_>, questions: &[String]) -> Judged {
    let each: Vec<Judged> = questions.iter().map(|id| one(case, id)).collect();
    let share = each.iter().map(|judged| judged.share).sum::<f64>() / each.len().max(1) as f64;
    let waits = each.iter().any(|judged| judged.state != CriterionState::Auto);
    let mut reasons: Vec<&str> = each
        .iter()
        .filter(|j| j.share < 1.0 || j.state != CriterionState::Auto)
        .map(|j| j.reason.as_str())
        .collect();
    reasons.dedup();
    let reason =
        if reasons.is_empty() { "Every question is answered.".to_owned() } else { reasons.join(" ") };
    if waits { Judged::waiting(share, reason) } else { Judged::decided(share, reason) }
}

fn one(case: &Case<'_>, id: &str) -> Judged {
    let answer = case.graded.answers.iter().find(|answer| answer.id == id);
    let question = case.exercise.questions.iter().find(|question| question.id == id);
    let (Some(answer), Some(question)) = (answer, question) else {
        return Judged::decided(0.0, format!("`{id}` is not answered."));
    };
    match answer.form.as_str() {
        "ok" => right(question, &answer.given),
        "contradicts-transcript" => Judged::decided(
            0.0,
            format!(
                "`{id}`: {} is not what the pasted output shows. Either is fine; both must agree.",
                answer.given
            ),
        ),
        "malformed" => Judged::decided(0.0, format!("`{id}`: expected {}.", expected(case, question))),
        _ => Judged::decided(0.0, format!("`{id}` is not answered.")),
    }
}

fn right(question: &Question, given: &str) -> Judged {
    let id = &question.id;
    match &question.kind {
        QuestionKind::Choice { right: Some(right), .. } if right != given => Judged::decided(
            0.0,
            format!("`{id}`: {given} is not what is seen there; look at the tool's output again."),
        ),
        QuestionKind::Choice { right: None, .. } => Judged::waiting(
            1.0,
            format!("`{id}`: {given}; what is seen depends on the tool's release. A person looks."),
        ),
        _ => Judged::decided(1.0, format!("`{id}` is answered.")),
    }
}

fn expected(case: &Case<'_>, question: &Question) -> String {
    match &question.kind {
        QuestionKind::Count { max, repeats, .. } => {
            let most = max.eval(&Scope::from(&case.exercise.constants)).unwrap_or(i64::MAX);
            let how_many = if *repeats == 1 { "a whole number" } else { "one whole number a run" };
            format!("{how_many} from 0 to {most}")
        }
        QuestionKind::Choice { options, .. } => format!("one of {}", options.join(", ")),
        QuestionKind::Sentence { .. } => "a sentence in quotes".to_owned(),
    }
}
