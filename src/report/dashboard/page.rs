//! The dashboard's page model, and its rendering.

use serde::Serialize;
use tera::Context;

use super::super::class::{ClassEntry, ordered};
use super::super::error::ReportError;
use super::super::html::{hash, templates};
use super::super::inert::{inert, one_line};
use super::super::numbers::points;
use super::alike::{AlikeAnswers, Group, alike_answers, same_programs};
use super::attention::{Attention, attention, reasons};
use super::statistics::{
    Link, Lost, Misconception, Spread, broken_rules, link, lost, misconceptions, percent, spread,
};
use crate::record::Status;

const STYLE: &str = include_str!("../../../templates/partials/report.css");
const OWN_STYLE: &str = include_str!("../../../templates/partials/dashboard.css");
const SCRIPT: &str = include_str!("../../../templates/partials/dashboard.js");

#[derive(Serialize)]
struct Dashboard {
    title: String,
    count: usize,
    graded: usize,
    rejected: usize,
    faults: usize,
    late: usize,
    spread: Spread,
    misconceptions: Vec<Misconception>,
    lost: Vec<Lost>,
    /// Faults, rejected and odd ones.
    urgent: Vec<Attention>,
    /// Those that only wait for points.
    waiting: Vec<Attention>,
    same: Vec<Group>,
    programs: usize,
    alike: Vec<AlikeAnswers>,
    rows: Vec<Row>,
    several_exercises: bool,
}

#[derive(Serialize)]
struct Row {
    key: String,
    name: String,
    link: Option<Link>,
    exercise: String,
    status: &'static str,
    points: String,
    max: String,
    percent: String,
    /// For sorting; below every score for none.
    percent_value: f64,
    rules: Vec<String>,
    late: bool,
    look: bool,
    look_words: String,
}

/// The dashboard of a class, one self-contained page for staff: no network, one script, allowed by its hash.
///
/// # Errors
/// When a template fails to render, which is a defect of ours.
pub fn dashboard(entries: &[ClassEntry], title: &str) -> Result<String, ReportError> {
    let entries: Vec<ClassEntry> = entries.iter().map(inert_entry).collect::<Result<_, _>>()?;
    let by_name = ordered(&entries);
    let (same, programs) = same_programs(&by_name);
    let (urgent, waiting): (Vec<_>, Vec<_>) = attention(&by_name).into_iter().partition(|a| a.urgency < 3);
    let count = |status| entries.iter().filter(|entry| entry.graded.status == status).count();
    let page = Dashboard {
        title: one_line(title),
        count: entries.len(),
        graded: count(Status::Graded),
        rejected: count(Status::Rejected),
        faults: count(Status::Fault),
        late: entries.iter().filter(|entry| entry.late).count(),
        spread: spread(&by_name),
        misconceptions: misconceptions(&by_name),
        lost: lost(&entries),
        urgent,
        waiting,
        same,
        programs,
        alike: alike_answers(&by_name),
        rows: by_name.iter().map(|entry| row(entry)).collect(),
        several_exercises: entries.iter().any(|entry| entry.graded.exercise != entries[0].graded.exercise),
    };
    let style = format!("{STYLE}{OWN_STYLE}");
    let mut context = Context::from_serialize(&page)?;
    context.insert("style", &style);
    context.insert("style_hash", &hash(&style));
    context.insert("script", SCRIPT);
    context.insert("script_hash", &hash(SCRIPT));
    Ok(templates()?.render("dashboard.html", &context)?)
}

/// The entry with every string of its record and identity made visible.
fn inert_entry(entry: &ClassEntry) -> Result<ClassEntry, ReportError> {
    let mut entry = ClassEntry { graded: inert(&entry.graded)?, ..entry.clone() };
    entry.key = one_line(&entry.key);
    entry.group = entry.group.as_deref().map(one_line);
    for member in &mut entry.members {
        member.name = one_line(&member.name);
    }
    Ok(entry)
}

fn row(entry: &ClassEntry) -> Row {
    let reasons = reasons(entry);
    let percent = percent(entry);
    Row {
        key: entry.key.clone(),
        name: entry.name(),
        link: link(entry),
        exercise: entry.graded.exercise.clone(),
        status: match entry.graded.status {
            Status::Graded => "graded",
            Status::Rejected => "rejected",
            Status::Fault => "fault",
        },
        points: entry.points().map_or_else(|| "–".to_owned(), points),
        max: entry.graded.score.as_ref().map(|score| points(score.max)).unwrap_or_default(),
        percent: percent.map_or_else(|| "–".to_owned(), |value| format!("{} %", points(value.round()))),
        percent_value: percent.unwrap_or(-1.0),
        rules: broken_rules(entry),
        late: entry.late,
        look: !reasons.is_empty(),
        look_words: match reasons.iter().map(|(urgency, _)| *urgency).min() {
            Some(0) => "fault",
            Some(1) => "rejected",
            Some(2) => "odd",
            Some(_) => "points to give",
            None => "",
        }
        .to_owned(),
    }
}
