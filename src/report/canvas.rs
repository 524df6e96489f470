//! A gradebook file that Canvas's importer takes.

use super::cells::{cell, grade, table};
use super::class::{ClassEntry, Member, ordered};
use super::error::ReportError;

/// The gradebook: Canvas's five columns of identity and one of grades, whose title is `assignment`: the title of an
/// existing one with its number, `Day 27 (4711)`, or a new title. Canvas matches students by `ID` first.
///
/// Each member of a group has a row. A fault of ours leaves its cell empty, so that the importer changes nothing.
///
/// # Errors
/// When a row cannot be written, which is a defect of ours.
pub fn canvas(entries: &[ClassEntry], assignment: &str) -> Result<String, ReportError> {
    let header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"].map(str::to_owned);
    let header = header.into_iter().chain([cell(assignment)]).collect();
    let max = entries
        .iter()
        .filter_map(|entry| entry.graded.score.as_ref())
        .map(|score| score.max)
        .reduce(f64::max);
    let mut possible = vec!["    Points Possible".to_owned()];
    possible.resize(5, String::new());
    possible.push(grade(max));
    let rows = ordered(entries).into_iter().flat_map(|entry| {
        let unnamed =
            entry.members.is_empty().then(|| Member { name: entry.key.clone(), ..Member::default() });
        let members: Vec<Member> = entry.members.iter().cloned().chain(unnamed).collect();
        members.into_iter().map(|member| row(&member, entry.points()))
    });
    table([header, possible].into_iter().chain(rows))
}

fn row(member: &Member, points: Option<f64>) -> Vec<String> {
    let known = |value: &Option<String>| cell(value.as_deref().unwrap_or_default());
    vec![
        cell(&member.name),
        known(&member.id),
        known(&member.sis_id),
        known(&member.login),
        known(&member.section),
        grade(points),
    ]
}
