//! Which of an exercise's hints fit what went wrong.

use std::collections::BTreeSet;

use crate::exercise::Exercise;
use crate::record::{Graded, Severity};

/// Hints whose rule or notice was found, then those that always fit when a gate failed; each once, in the author's order.
/// What an experiment was asked to show is no mistake and calls for no hint.
pub(super) fn fitting(exercise: &Exercise, graded: &Graded) -> Vec<String> {
    let mut found: BTreeSet<&str> = graded.notices.iter().map(|notice| notice.kind.as_str()).collect();
    for configuration in &graded.configurations {
        let gated = |kernel: &str| configuration.rows.iter().any(|row| row.kernel == kernel && row.gated);
        for verdict in configuration.verdicts.iter().filter(|verdict| gated(&verdict.kernel)) {
            let errors = verdict.findings.iter().filter(|finding| finding.severity != Severity::Note);
            found.extend(errors.map(|finding| finding.rule.as_str()));
        }
    }
    let failed = !graded.configurations.iter().all(|configuration| configuration.gates_held);
    let fits = |when: &[String]| {
        if when.is_empty() { failed } else { when.iter().any(|kind| found.contains(kind.as_str())) }
    };
    exercise.hints.iter().filter(|hint| fits(&hint.when)).map(|hint| hint.text.clone()).collect()
}
