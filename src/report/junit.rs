//! A class, or one submission, as JUnit XML: a failure is the student's, an error is ours.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::audience::{Audience, audience};
use super::class::{ClassEntry, ordered};
use super::error::ReportError;
use super::gathered::{Role, gathered, rule_title};
use super::inert::inert;
use super::page::place;
use crate::record::{CriterionState, Graded, Status, Verdict};

/// One suite a submission: a case for every criterion, and one for every gated kernel's verdict.
///
/// # Errors
/// When the XML cannot be written, which is a defect of ours.
pub fn junit(entries: &[ClassEntry], reader: Audience) -> Result<String, ReportError> {
    let mut report = Report::new("warpgrade");
    for entry in ordered(entries) {
        let graded = inert(&audience(&entry.graded, reader))?;
        let mut suite = TestSuite::new(super::inert::one_line(&entry.key));
        if let Some(total) = graded.timing.get("total").filter(|total| total.is_finite() && **total >= 0.0) {
            suite.set_time(std::time::Duration::from_secs_f64(*total));
        }
        suite.add_test_cases(cases(&graded));
        report.add_test_suite(suite);
    }
    Ok(report.to_string()?)
}

fn cases(graded: &Graded) -> Vec<TestCase> {
    let case = |name: String, status| {
        let mut case = TestCase::new(name, status);
        case.set_classname(graded.exercise.clone());
        case
    };
    match graded.status {
        Status::Fault => {
            return vec![case(
                "grading".into(),
                unsuccessful(NonSuccessKind::Error, "fault", &graded.message),
            )];
        }
        Status::Rejected => {
            return vec![case(
                "grading".into(),
                unsuccessful(NonSuccessKind::Failure, "rejected", &graded.message),
            )];
        }
        Status::Graded => {}
    }
    let criteria = graded.criteria.iter().map(|criterion| {
        let status = match criterion.state {
            CriterionState::Manual => TestCaseStatus::skipped(),
            _ if criterion.points >= criterion.max => TestCaseStatus::success(),
            _ => unsuccessful(NonSuccessKind::Failure, "points", &criterion.reason),
        };
        case(format!("criterion {}", criterion.id), status)
    });
    criteria.chain(verdicts(graded).into_iter().map(|(name, status)| case(name, status))).collect()
}

/// A case for every kernel that is gated and not asked to be wrong.
fn verdicts(graded: &Graded) -> Vec<(String, TestCaseStatus)> {
    let fixes = gathered(graded);
    let mut cases = Vec::new();
    for configuration in &graded.configurations {
        for verdict in &configuration.verdicts {
            let gated = configuration.rows.iter().any(|row| row.gated && row.kernel == verdict.kernel);
            let asked = configuration.expects.iter().any(|asked| asked.kernel == verdict.kernel);
            if !gated || asked {
                continue;
            }
            let status = match verdict.verdict {
                Verdict::Defined => TestCaseStatus::success(),
                // Nobody's failure: the checker could not decide.
                Verdict::Unknown => TestCaseStatus::skipped(),
                Verdict::Undefined => {
                    let fix = fixes.iter().find(|g| {
                        g.role == Role::Fix && g.seen.iter().any(|seen| seen.kernel == verdict.kernel)
                    });
                    match fix {
                        Some(g) => {
                            let at = &g.finding.first.at;
                            let text = format!("{}: {}", place(&at.file, at.line, 0), g.finding.message);
                            unsuccessful(NonSuccessKind::Failure, &rule_title(&g.finding.rule), &text)
                        }
                        None => unsuccessful(
                            NonSuccessKind::Failure,
                            "undefined",
                            "not defined by the memory model",
                        ),
                    }
                }
            };
            cases.push((format!("{} defined in {}", verdict.kernel, configuration.name), status));
        }
    }
    cases
}

fn unsuccessful(kind: NonSuccessKind, of_type: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(of_type).set_message(message);
    status
}
