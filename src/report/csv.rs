//! A class as a plain table, one row an entry, for a spreadsheet or a script.

use super::cells::{cell, grade, table};
use super::class::{ClassEntry, ordered};
use super::error::ReportError;
use super::gathered::{Role, gathered};
use crate::record::Status;

/// One row a submission: who, score, every criterion, what was found. Sorted by name.
///
/// # Errors
/// When a row cannot be written, which is a defect of ours.
pub fn csv(entries: &[ClassEntry]) -> Result<String, ReportError> {
    let criteria = criteria(entries);
    let mut header: Vec<String> = [
        "key",
        "name",
        "id",
        "email",
        "group",
        "exercise",
        "status",
        "points",
        "max",
        "provisional",
        "late",
        "gates_held",
        "rules",
        "notices",
    ]
    .map(str::to_owned)
    .into();
    header.extend(criteria.iter().map(|id| cell(&format!("criterion:{id}"))));
    let rows = ordered(entries).into_iter().map(|entry| row(entry, &criteria));
    table(std::iter::once(header).chain(rows))
}

/// Every criterion of the class, in the order of the rubric and of the entries' names.
pub(super) fn criteria(entries: &[ClassEntry]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for criterion in ordered(entries).into_iter().flat_map(|entry| &entry.graded.criteria) {
        if !ids.contains(&criterion.id) {
            ids.push(criterion.id.clone());
        }
    }
    ids
}

fn row(entry: &ClassEntry, criteria: &[String]) -> Vec<String> {
    let graded = &entry.graded;
    let joined = |of: fn(&super::class::Member) -> Option<String>| {
        cell(&entry.members.iter().filter_map(of).collect::<Vec<_>>().join("; "))
    };
    let mut rules: Vec<String> =
        gathered(graded).into_iter().filter(|g| g.role == Role::Fix).map(|g| g.finding.rule).collect();
    rules.sort();
    rules.dedup();
    let notices: Vec<&str> = graded.notices.iter().map(|notice| notice.kind.as_str()).collect();
    let yes = |value: bool| if value { "yes" } else { "no" }.to_owned();
    let mut row = vec![
        cell(&entry.key),
        cell(&entry.name()),
        joined(|member| member.id.clone()),
        joined(|member| member.email.clone()),
        cell(entry.group.as_deref().unwrap_or_default()),
        cell(&graded.exercise),
        match graded.status {
            Status::Graded => "graded",
            Status::Rejected => "rejected",
            Status::Fault => "fault",
        }
        .to_owned(),
        grade(entry.points()),
        grade(graded.score.as_ref().map(|score| score.max)),
        yes(graded.score.as_ref().is_some_and(|score| score.provisional)),
        yes(entry.late),
        yes(graded.status == Status::Graded
            && graded.configurations.iter().all(|c| c.gates_held || !c.expects.is_empty())),
        cell(&rules.join("; ")),
        cell(&notices.join("; ")),
    ];
    row.extend(criteria.iter().map(|id| {
        let criterion = graded.criteria.iter().find(|criterion| criterion.id == *id);
        grade(criterion.map(|criterion| criterion.points))
    }));
    row
}
