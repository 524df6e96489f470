//! `results.json`, as Gradescope's autograder platform reads it.

use serde::Serialize;

use super::audience::audience;
use super::error::ReportError;
use super::inert::inert;
use super::markdown::markdown;
use super::prose::prose_markdown;
use super::views::Shown;
use crate::record::{Criterion, CriterionState, Graded, Status};

#[derive(Serialize)]
struct Results {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    execution_time: f64,
    output: String,
    output_format: &'static str,
    test_output_format: &'static str,
    visibility: &'static str,
    stdout_visibility: &'static str,
    tests: Vec<Test>,
    extra_data: Extra,
}

#[derive(Serialize)]
struct Test {
    score: f64,
    max_score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    name: String,
    name_format: &'static str,
    number: String,
    output: String,
    output_format: &'static str,
    tags: Vec<String>,
    visibility: &'static str,
}

#[derive(Serialize)]
struct Extra {
    schema: String,
    exercise: String,
    status: Status,
    provisional: bool,
}

/// The results of one submission: the report as output, one test a criterion.
///
/// Gradescope shows this to students, so `shown` should name them as the audience. A fault of ours has no score and
/// no tests: Gradescope then reports that the autograder failed, and never a zero.
///
/// # Errors
/// When the report cannot be rendered, which is a defect of ours.
pub fn gradescope(graded: &Graded, shown: &Shown<'_>) -> Result<String, ReportError> {
    let output = markdown(graded, shown)?;
    let graded = inert(&audience(graded, shown.audience))?;
    let tests = if graded.status == Status::Fault { Vec::new() } else { tests(&graded.criteria) };
    let results = Results {
        score: graded.score.as_ref().map(|score| score.points),
        execution_time: graded.timing.get("total").copied().unwrap_or_else(|| graded.timing.values().sum()),
        output,
        output_format: "md",
        test_output_format: "md",
        visibility: "visible",
        stdout_visibility: "hidden",
        tests,
        extra_data: Extra {
            schema: graded.schema.clone(),
            exercise: graded.exercise.clone(),
            status: graded.status,
            provisional: graded.score.as_ref().is_some_and(|score| score.provisional),
        },
    };
    Ok(super::json::escaped(&serde_json::to_string_pretty(&results)?) + "\n")
}

fn tests(criteria: &[Criterion]) -> Vec<Test> {
    let test = |(number, criterion): (usize, &Criterion)| Test {
        score: criterion.points,
        max_score: criterion.max,
        status: match criterion.state {
            // What waits for a person has neither passed nor failed.
            CriterionState::Manual => None,
            _ if criterion.points >= criterion.max => Some("passed"),
            _ => Some("failed"),
        },
        name: if criterion.title.is_empty() { criterion.id.clone() } else { criterion.title.clone() },
        name_format: "text",
        number: number.to_string(),
        output: prose_markdown(&criterion.reason),
        output_format: "md",
        tags: criterion.see.clone(),
        visibility: "visible",
    };
    (1..).zip(criteria).map(test).collect()
}
