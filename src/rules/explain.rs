//! Raw findings to findings: rule, words, witness; one finding a rule and pair of lines.

use std::collections::HashMap;

use super::case::Case;
use super::catalogue::RULES;
use super::places::Places;
use super::rule::Words;
use super::witness::witness;
use crate::model::{Action, RawFinding, Relation, Report, Violation};
use crate::record::{Finding, SourceLine};

/// The report's findings in a student's words, errors first; those of one rule at one pair of lines are one.
pub fn explain(report: &Report, places: &dyn Places) -> Vec<Finding> {
    let updates = updated_lines(report, places);
    let mut findings: Vec<Finding> = Vec::new();
    let mut seen: HashMap<(&str, Pair), usize> = HashMap::new();
    // The worst first, and a read of what was written before the reverse: the first gives the words, and further
    // occurrences at its lines only count.
    let mut raws: Vec<&RawFinding> = report.findings.iter().collect();
    raws.sort_by_key(|f| {
        let reversed = f.second.as_ref().is_some_and(|s| s.action == Action::Read);
        (f.severity, f.relation != Relation::OtherBlock, reversed)
    });
    for raw in raws {
        if explained_by_a_race(raw, report) {
            continue;
        }
        let pair = lines(raw, places);
        let case = Case { raw, places, updates: &updates };
        let Some(rule) = RULES.iter().find(|r| (r.matches)(&case)) else { continue };
        // Races at one pair of lines are one finding, whatever else is to be said of them.
        let key = (if case.race().is_some() { "race" } else { rule.page.rule }, pair);
        if let Some(&i) = seen.get(&key) {
            findings[i].count += raw.count;
            continue;
        }
        seen.insert(key, findings.len());
        let Words { message, advice } = (rule.say)(&case);
        findings.push(Finding {
            rule: rule.page.rule.to_owned(),
            severity: raw.severity,
            message: capitalised(&message),
            first: case.note(&raw.first),
            second: raw.second.as_ref().map(|s| case.note(s)),
            advice,
            count: raw.count,
            seed: raw.seed,
            witness: witness(&case),
        });
    }
    findings
}

/// File and line.
pub(super) type SourceKey = (String, u32);
type Pair = (Option<SourceKey>, Option<SourceKey>);

/// The two lines, in an order that does not depend on which side was found second.
fn lines(raw: &RawFinding, places: &dyn Places) -> Pair {
    let key = |site: Option<_>| {
        site.map(|site| {
            let SourceLine { file, line, .. } = places.line(site);
            (file, line)
        })
    };
    let a = key(raw.first.site);
    let b = key(raw.second.as_ref().and_then(|s| s.site));
    if a <= b { (a, b) } else { (b, a) }
}

/// Lines at which several threads write one place after having read it: updates in two steps.
fn updated_lines(report: &Report, places: &dyn Places) -> Vec<SourceKey> {
    let both_write = |f: &&RawFinding| {
        let second = f.second.as_ref().map(|s| s.action);
        f.first.action == Action::Write && second == Some(Action::Write)
    };
    let updates = report.findings.iter().filter(|f| f.evidence.update).filter(both_write);
    updates.filter_map(|f| lines(f, places).1).collect()
}

/// A read before its unordered write also looks uninitialised; the race says it better.
fn explained_by_a_race(raw: &RawFinding, report: &Report) -> bool {
    matches!(raw.violation, Violation::Uninitialised { .. })
        && report.findings.iter().any(|f| {
            let racing = matches!(&f.violation, Violation::Race(r) if !r.strict_only && !r.same_value);
            racing
                && (f.first.site == raw.first.site
                    || f.second.as_ref().is_some_and(|s| s.site == raw.first.site))
        })
}

fn capitalised(text: &str) -> String {
    // A name that begins the sentence keeps its case.
    let first_word = text.split([' ', ':']).next().unwrap_or_default();
    match first_word {
        "block" | "thread" => text[..1].to_uppercase() + &text[1..],
        _ => text.to_owned(),
    }
}
