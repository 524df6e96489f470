//! Raw findings to findings: rule, words, witness; one finding a rule and pair of lines.

use std::collections::HashMap;

use super::case::Case;
use super::catalogue::RULES;
use super::places::Places;
use super::rule::Words;
use super::witness::witness;
use crate::model::{RawFinding, Report, Violation};
use crate::record::{Finding, Severity, SourceLine};

/// The report's findings in a student's words, errors first; those of one rule at one pair of lines are one.
pub fn explain(report: &Report, places: &dyn Places) -> Vec<Finding> {
    let updates: Vec<_> =
        report.findings.iter().filter(|f| f.evidence.update).map(|f| lines(f, places)).collect();
    let mut findings: Vec<Finding> = Vec::new();
    let mut seen: HashMap<(&str, Pair), usize> = HashMap::new();
    let mut errors: HashMap<Pair, usize> = HashMap::new();
    // The worst first: it gives the words, and milder occurrences at its lines only count.
    let mut raws: Vec<&RawFinding> = report.findings.iter().collect();
    raws.sort_by_key(|f| f.severity);
    for raw in raws {
        if explained_by_a_race(raw, report) {
            continue;
        }
        let pair = lines(raw, places);
        let case = Case { raw, places, update_nearby: updates.contains(&pair) };
        let Some(rule) = RULES.iter().find(|r| (r.matches)(&case)) else { continue };
        let is_race = case.race().is_some();
        let milder = errors.get(&pair).filter(|_| is_race && raw.severity == Severity::Note);
        if let Some(&i) = milder.or(seen.get(&(rule.page.rule, pair.clone()))) {
            findings[i].count += raw.count;
            continue;
        }
        if is_race && raw.severity != Severity::Note {
            errors.insert(pair.clone(), findings.len());
        }
        seen.insert((rule.page.rule, pair), findings.len());
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

type SourceKey = (String, u32);
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
