//! The page model: what HTML and Markdown both say, in the order in which they say it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::audience::{Audience, audience};
use super::beside::{BesideView, beside_view};
use super::error::ReportError;
use super::gathered::{Gathered, Role, gathered, rule_title, severity_words};
use super::inert::inert;
use super::listing::{Line, excerpt, listing};
use super::numbers::{counted, grouped, points};
use super::tables::{ConfigurationView, configuration_view};
use super::timeline::{Room, Timeline, timeline};
use super::views::Shown;
use crate::record::{AccessNote, CriterionState, Graded, Row, Severity, Status, Verdict};

/// Lines shown on each side of an access.
const CONTEXT: u32 = 3;

#[derive(Debug, Serialize)]
pub(super) struct Page {
    pub title: String,
    pub exercise: String,
    pub student: String,
    pub staff: bool,
    /// `graded`, `rejected`, `fault`.
    pub status: &'static str,
    /// One sentence under the title.
    pub headline: String,
    pub message: String,
    pub score: Option<ScoreView>,
    pub chips: Vec<Chip>,
    pub fixes: Vec<FindingView>,
    pub asked: Vec<FindingView>,
    pub shown: Vec<FindingView>,
    pub notes: Vec<FindingView>,
    pub compile_errors: Vec<CompileError>,
    pub configurations: Vec<ConfigurationView>,
    pub hidden: Vec<HiddenView>,
    pub criteria: Vec<CriterionView>,
    pub edits: Vec<PlacedNote>,
    pub ignored: Vec<PlacedNote>,
    pub notices: Vec<PlacedNote>,
    pub sanitizer: Option<BesideView>,
    pub answers: Vec<AnswerView>,
    pub hints: Vec<String>,
    pub sources: Vec<SourceView>,
    pub inputs: Vec<(String, String, String)>,
    pub versions: Vec<(String, String)>,
    pub timing: Vec<(String, String)>,
}

#[derive(Debug, Serialize)]
pub(super) struct ScoreView {
    pub points: String,
    pub max: String,
    /// 0 to 100, for the bar.
    pub percent: f64,
    pub provisional: bool,
}

/// A short fact in the headline: `good`, `bad`, `open` or `plain`.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Chip {
    pub tone: &'static str,
    pub text: String,
}

#[derive(Debug, Serialize)]
pub(super) struct FindingView {
    /// Unique on the page.
    pub id: String,
    pub rule: String,
    pub rule_title: String,
    pub severity: &'static str,
    /// `error`, `warp`, `note`.
    pub tone: &'static str,
    pub kernel: String,
    pub message: String,
    pub advice: String,
    pub accesses: Vec<AccessView>,
    /// Orders that are missing, from the witness.
    pub missing: Vec<String>,
    pub timeline: Option<Timeline>,
    /// The same for a phone.
    pub narrow_timeline: Option<Timeline>,
    pub story: String,
    pub seen: Vec<String>,
    pub count: String,
    pub seed: u64,
    /// The rule's own page, in Markdown; empty where there is none.
    pub rule_page: String,
}

#[derive(Debug, Serialize)]
pub(super) struct AccessView {
    pub number: usize,
    /// `read of partials[17]`.
    pub what: String,
    pub space: String,
    pub thread: String,
    pub file: String,
    pub line: u32,
    /// The student's own file, and not the template.
    pub own: bool,
    pub text: String,
    pub inlined: Vec<String>,
    pub lines: Vec<Line>,
}

#[derive(Debug, Serialize)]
pub(super) struct CompileError {
    pub level: String,
    pub place: String,
    pub message: String,
    pub lines: Vec<Line>,
}

#[derive(Debug, Serialize)]
pub(super) struct HiddenView {
    pub title: String,
    pub kernel: String,
    pub held: bool,
    pub words: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct CriterionView {
    pub id: String,
    pub title: String,
    pub points: String,
    pub max: String,
    /// `full`, `part`, `none`, `open`.
    pub tone: &'static str,
    pub state: &'static str,
    pub reason: String,
    pub see: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct PlacedNote {
    pub what: String,
    /// `fence_below.cu:18-21`, or empty.
    pub place: String,
    pub text: String,
}

#[derive(Debug, Serialize)]
pub(super) struct AnswerView {
    pub question: String,
    pub given: String,
    pub form: String,
    pub form_words: String,
    pub ok: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct SourceView {
    pub file: String,
    pub lines: Vec<Line>,
    pub marked: bool,
    pub words: String,
}

/// The page of a record, for one reader; every string inert.
pub(super) fn page(graded: &Graded, shown: &Shown<'_>) -> Result<Page, ReportError> {
    let graded = inert(&audience(graded, shown.audience))?;
    let all = gathered(&graded);
    let of = |role: Role, prefix: &str| -> Vec<FindingView> {
        let mine = all.iter().filter(|g| g.role == role).enumerate();
        mine.map(|(index, g)| finding_view(&graded, g, format!("{prefix}-{}", index + 1), shown)).collect()
    };
    let open = graded.configurations.iter().filter(|c| shown.audience == Audience::Staff || !c.hidden);
    Ok(Page {
        title: if graded.title.is_empty() { graded.exercise.clone() } else { graded.title.clone() },
        exercise: graded.exercise.clone(),
        student: shown.student.map(super::inert::one_line).unwrap_or_default(),
        staff: shown.audience == Audience::Staff,
        status: match graded.status {
            Status::Graded => "graded",
            Status::Rejected => "rejected",
            Status::Fault => "fault",
        },
        headline: headline(&graded, &all),
        message: graded.message.clone(),
        score: score(&graded),
        chips: chips(&graded, &all),
        fixes: of(Role::Fix, "fix"),
        asked: of(Role::Asked, "asked"),
        shown: of(Role::Shown, "shown"),
        notes: of(Role::Note, "note"),
        compile_errors: compile_errors(&graded),
        configurations: open.map(configuration_view).collect(),
        hidden: hidden(&graded),
        criteria: graded.criteria.iter().map(criterion).collect(),
        edits: graded
            .edits
            .iter()
            .map(|e| placed(&e.region, &e.file, e.line, e.last_line, &e.summary))
            .collect(),
        ignored: graded.ignored.iter().map(|n| placed("", &n.file, n.line, n.last_line, &n.reason)).collect(),
        notices: graded.notices.iter().map(|n| placed(&n.kind, &n.file, n.line, 0, &n.message)).collect(),
        sanitizer: graded.sanitizer.as_ref().map(beside_view),
        answers: graded.answers.iter().map(answer).collect(),
        hints: graded.hints.clone(),
        sources: sources(&graded, &all),
        inputs: graded
            .inputs
            .iter()
            .map(|i| (i.file.clone(), grouped(i.bytes), i.blake3.chars().take(12).collect()))
            .collect(),
        versions: graded.versions.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        timing: graded.timing.iter().map(|(k, v)| (k.clone(), format!("{v:.3} s"))).collect(),
    })
}

fn score(graded: &Graded) -> Option<ScoreView> {
    graded.score.as_ref().map(|score| ScoreView {
        points: points(score.points),
        max: points(score.max),
        percent: if score.max > 0.0 { (score.points / score.max * 100.0).clamp(0.0, 100.0) } else { 0.0 },
        provisional: score.provisional,
    })
}

/// The outcome in one sentence.
pub(super) fn headline(graded: &Graded, all: &[Gathered]) -> String {
    match graded.status {
        Status::Fault => {
            return "The grader failed; this is not your fault, and there is no score.".to_owned();
        }
        Status::Rejected => return "Nothing in this submission could be graded.".to_owned(),
        Status::Graded => {}
    }
    if graded.configurations.iter().any(|c| c.diagnostics.iter().any(|d| d.level == "error")) {
        return "The program does not compile, so nothing was run or checked.".to_owned();
    }
    let fixes: Vec<&Gathered> = all.iter().filter(|g| g.role == Role::Fix).collect();
    if let [first, ..] = fixes.as_slice() {
        let mut kernels: Vec<&str> = fixes.iter().flat_map(|g| g.kernels()).collect();
        kernels.sort_unstable();
        kernels.dedup();
        return match kernels.as_slice() {
            [one] => format!(
                "`{one}` is not defined by the memory model: {}.",
                lower(&rule_title(&first.finding.rule))
            ),
            many => format!(
                "{} kernels are not defined by the memory model; start with `{}`.",
                many.len(),
                first.kernel
            ),
        };
    }
    let (held, gates) = gates(graded);
    let stopped = |row: &Row| row.gated && row.stopped.is_some();
    if graded.configurations.iter().flat_map(|c| &c.rows).any(stopped) {
        return "A kernel was stopped before its end: the rows below say where and why.".to_owned();
    }
    if held < gates && open_gates(graded) {
        return "Every run on the exercise's own data was right, and on data that you have not seen some were wrong: the answer \
                has to come from the input."
            .to_owned();
    }
    if held < gates {
        return "Some runs gave wrong answers, and the memory model names no race for them: look at the rows below.".to_owned();
    }
    if gated_verdicts(graded).any(|verdict| verdict == Verdict::Unknown) {
        return "Every gate held, but the checker could not decide every kernel.".to_owned();
    }
    if gates == 0 {
        return "Graded; no gated kernel was run.".to_owned();
    }
    "Every gate held, and the memory model defines every gated kernel.".to_owned()
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// Gated rows that held, and all of them; rows whose failure the exercise asks for are left out.
fn gates(graded: &Graded) -> (usize, usize) {
    let rows = graded.configurations.iter().flat_map(|c| {
        let asked = |kernel: &str| c.expects.iter().any(|e| e.kernel == kernel);
        c.rows.iter().filter(move |row| row.gated && !asked(&row.kernel))
    });
    rows.fold((0, 0), |(held, all), row| (held + usize::from(super::tables::gate(row) == "held"), all + 1))
}

/// Whether there are gates besides those of hidden instances, and all of them held.
fn open_gates(graded: &Graded) -> bool {
    let open = graded.configurations.iter().filter(|c| !c.hidden).cloned().collect();
    let (held, gates) = gates(&Graded { configurations: open, ..graded.clone() });
    gates > 0 && held == gates
}

fn gated_verdicts(graded: &Graded) -> impl Iterator<Item = Verdict> + '_ {
    graded.configurations.iter().flat_map(|c| {
        c.verdicts
            .iter()
            .filter(|v| c.rows.iter().any(|r| r.gated && r.kernel == v.kernel))
            .map(|v| v.verdict)
    })
}

pub(super) fn chips(graded: &Graded, all: &[Gathered]) -> Vec<Chip> {
    let mut chips = Vec::new();
    let mut chip = |tone, text: String| chips.push(Chip { tone, text });
    if graded.status != Status::Graded {
        return chips;
    }
    let (held, gates) = gates(graded);
    if gates > 0 {
        let tone = if held == gates { "good" } else { "bad" };
        chip(tone, format!("Runs: {held} of {} held", counted(gates, "gate", "gates")));
    }
    let mut broken: Vec<&str> =
        all.iter().filter(|g| g.role == Role::Fix).flat_map(Gathered::kernels).collect();
    broken.sort_unstable();
    broken.dedup();
    let unknown = gated_verdicts(graded).filter(|verdict| *verdict == Verdict::Unknown).count();
    if !broken.is_empty() {
        chip("bad", format!("Memory model: {} undefined", counted(broken.len(), "kernel", "kernels")));
    } else if unknown > 0 {
        chip("open", format!("Memory model: {} undecided", counted(unknown, "kernel", "kernels")));
    } else if gated_verdicts(graded).next().is_some() {
        chip("good", "Memory model: every gated kernel defined".to_owned());
    }
    let asked = all.iter().filter(|g| g.role == Role::Asked).count();
    if asked > 0 {
        chip("plain", format!("{} shown, as the exercise asks", counted(asked, "bug", "bugs")));
    }
    if graded.score.as_ref().is_some_and(|score| score.provisional) {
        chip("open", "Provisional: part waits for a person".to_owned());
    }
    chips
}

fn finding_view(graded: &Graded, g: &Gathered, id: String, shown: &Shown<'_>) -> FindingView {
    let finding = &g.finding;
    let witness = finding.witness.as_ref();
    let missing = witness.map(|w| w.edges.iter().filter(|e| !e.present).map(|e| e.label.clone()).collect());
    FindingView {
        id,
        rule: finding.rule.clone(),
        rule_title: rule_title(&finding.rule),
        severity: severity_words(finding.severity),
        tone: match finding.severity {
            Severity::Error => "error",
            Severity::WithinWarp => "warp",
            Severity::Note => "note",
        },
        kernel: g.kernel.clone(),
        message: finding.message.clone(),
        advice: finding.advice.clone(),
        accesses: (1..).zip(g.accesses()).map(|(n, access)| access_view(graded, n, access)).collect(),
        missing: missing.unwrap_or_default(),
        timeline: witness.and_then(|w| timeline(w, Room::Wide)),
        narrow_timeline: witness.and_then(|w| timeline(w, Room::Narrow)),
        story: witness.map(|w| w.story.clone()).unwrap_or_default(),
        seen: seen(g),
        count: grouped(g.count()),
        seed: finding.seed,
        rule_page: shown.rules.page(&finding.rule).unwrap_or_default(),
    }
}

/// Where a bug was seen: `8,192 blocks (8192 × 256), 819,100 times`.
pub(super) fn seen(g: &Gathered) -> Vec<String> {
    g.seen
        .iter()
        .map(|seen| {
            let launches = seen.launches.join(", ").replace(" x ", " × ");
            let launches = if launches.is_empty() { launches } else { format!(" ({launches})") };
            let warp = if seen.severity == Severity::WithinWarp { ", between lanes of one warp" } else { "" };
            let times =
                if seen.count == 1 { "once".to_owned() } else { format!("{} times", grouped(seen.count)) };
            let kernel = if seen.kernel == g.kernel { String::new() } else { format!("{}, ", seen.kernel) };
            format!("{kernel}{}{launches}: {times}{warp}", seen.configuration)
        })
        .collect()
}

fn access_view(graded: &Graded, number: usize, access: &AccessNote) -> AccessView {
    let what = match access.location.as_str() {
        "" => access.action.clone(),
        location => format!("{} of {location}", access.action),
    };
    let mark = format!("({number}) {}", access.action);
    AccessView {
        number,
        what,
        space: access.space.clone(),
        thread: access.thread.clone(),
        file: access.at.file.clone(),
        line: access.at.line,
        own: access.at.file != "template",
        text: access.at.text.clone(),
        inlined: access.at.inlined_from.iter().map(|(file, line)| format!("{file}:{line}")).collect(),
        lines: excerpt(graded, &access.at, CONTEXT, &mark),
    }
}

fn compile_errors(graded: &Graded) -> Vec<CompileError> {
    let mut errors: Vec<CompileError> = Vec::new();
    for d in graded.configurations.iter().flat_map(|c| &c.diagnostics) {
        let place = place(&d.file, d.line, 0);
        if errors.iter().any(|e| e.place == place && e.message == d.message) {
            continue;
        }
        let at = crate::record::SourceLine {
            file: d.file.clone(),
            line: d.line,
            column: 0,
            text: d.text.clone(),
            inlined_from: Vec::new(),
        };
        let lines = excerpt(graded, &at, 2, &d.level);
        errors.push(CompileError { level: d.level.clone(), place, message: d.message.clone(), lines });
    }
    errors.sort_by_key(|e| e.level != "error");
    errors
}

pub(super) fn hidden(graded: &Graded) -> Vec<HiddenView> {
    let hidden = graded.configurations.iter().filter(|c| c.hidden);
    let rows = hidden.flat_map(|c| c.rows.iter().filter(|row| row.gated).map(move |row| (c, row)));
    rows.map(|(c, row)| {
        let gate = super::tables::gate(row);
        HiddenView {
            title: super::gathered::name(c).to_owned(),
            kernel: row.kernel.clone(),
            held: gate == "held",
            words: match gate {
                "held" => "held",
                "stopped" => "stopped before the end",
                _ => "did not hold",
            },
        }
    })
    .collect()
}

fn criterion(c: &crate::record::Criterion) -> CriterionView {
    CriterionView {
        id: c.id.clone(),
        title: if c.title.is_empty() { c.id.clone() } else { c.title.clone() },
        points: points(c.points),
        max: points(c.max),
        tone: match c.state {
            CriterionState::Manual => "open",
            _ if c.points >= c.max => "full",
            _ if c.points > 0.0 => "part",
            _ => "none",
        },
        state: match c.state {
            CriterionState::Auto => "",
            CriterionState::Provisional => "provisional",
            CriterionState::Manual => "waits for a person",
        },
        reason: c.reason.clone(),
        see: c.see.clone(),
    }
}

fn placed(what: &str, file: &str, line: u32, last_line: u32, text: &str) -> PlacedNote {
    PlacedNote { what: what.to_owned(), place: place(file, line, last_line), text: text.to_owned() }
}

/// `a.cu:3`, `a.cu:3-7`, `a.cu`.
pub(super) fn place(file: &str, line: u32, last_line: u32) -> String {
    match (line, last_line) {
        (0, _) => file.to_owned(),
        (first, last) if last > first => format!("{file}:{first}-{last}"),
        (first, _) => format!("{file}:{first}"),
    }
}

fn answer(a: &crate::record::AnswerRecord) -> AnswerView {
    AnswerView {
        question: if a.question.is_empty() { a.id.clone() } else { a.question.clone() },
        given: a.given.clone(),
        form: a.form.clone(),
        form_words: match a.form.as_str() {
            "ok" => "read".to_owned(),
            "contradicts-transcript" => "differs from the transcript that you handed in".to_owned(),
            other => other.replace('-', " "),
        },
        ok: a.form == "ok",
    }
}

fn sources(graded: &Graded, all: &[Gathered]) -> Vec<SourceView> {
    graded
        .sources
        .iter()
        .map(|source| {
            let mut marks: BTreeMap<u32, Vec<String>> = BTreeMap::new();
            let mut mark = |line: u32, text: String| {
                let at = marks.entry(line).or_default();
                if line > 0 && at.len() < 3 && !at.contains(&text) {
                    at.push(text);
                }
            };
            for (number, g) in (1..).zip(all.iter().filter(|g| matches!(g.role, Role::Fix | Role::Asked))) {
                for (side, access) in (1..).zip(g.accesses()) {
                    if access.at.file == source.file {
                        mark(access.at.line, format!("{number}.({side}) {}", access.action));
                    }
                }
            }
            for d in graded.configurations.iter().flat_map(|c| &c.diagnostics) {
                if d.file == source.file && d.level == "error" {
                    mark(d.line, "error".to_owned());
                }
            }
            marks.retain(|_, texts| !texts.is_empty());
            let edits: Vec<(u32, u32)> = graded
                .edits
                .iter()
                .filter(|edit| edit.file == source.file && edit.line > 0)
                .map(|edit| (edit.line, edit.last_line.max(edit.line)))
                .collect();
            let marked = marks.len();
            SourceView {
                file: source.file.clone(),
                lines: listing(&source.text, &marks, &edits),
                marked: marked > 0,
                words: counted(marked, "marked line", "marked lines"),
            }
        })
        .collect()
}
