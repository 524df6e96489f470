//! Figures of a class: spread, points lost by criterion, misconceptions.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::class::ClassEntry;
use super::super::csv::criteria;
use super::super::gathered::{Role, gathered, rule_title};
use super::super::numbers::points;

/// Bars of the score distribution: tenths of the possible points.
const BINS: usize = 10;

/// Points of one entry in percent of what was possible; `None` without a score.
pub(super) fn percent(entry: &ClassEntry) -> Option<f64> {
    let max = entry.graded.score.as_ref()?.max;
    let percent = entry.points()? / max * 100.0;
    (max > 0.0 && percent.is_finite()).then(|| percent.clamp(0.0, 100.0))
}

/// The middle value of sorted figures: the mean of the two middle ones for an even count.
fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        count if count % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Spread {
    pub bars: Vec<Bar>,
    pub counted: usize,
    pub without: usize,
    pub median: String,
    pub mean: String,
    pub lowest: String,
    pub highest: String,
    pub full: usize,
    /// The median's place on the axis of the picture, 0 to 100.
    pub median_at: Option<f64>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Bar {
    /// `70 to 80 %`.
    pub label: String,
    pub count: usize,
    /// 0 to 100, of the highest bar.
    pub height: f64,
}

pub(super) fn spread(entries: &[&ClassEntry]) -> Spread {
    let mut values: Vec<f64> = entries.iter().filter_map(|entry| percent(entry)).collect();
    values.sort_by(f64::total_cmp);
    let mut counts = [0usize; BINS];
    for value in &values {
        // 100 % belongs to the last bar.
        counts[((value / 100.0 * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let highest_bar = counts.iter().copied().max().unwrap_or(0).max(1);
    let width = 100 / BINS;
    let bars = counts.iter().enumerate().map(|(bin, count)| Bar {
        label: format!("{} to {} %", bin * width, (bin + 1) * width),
        count: *count,
        height: *count as f64 / highest_bar as f64 * 100.0,
    });
    let say = |value: Option<f64>| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{} %", points((value * 10.0).round() / 10.0)))
    };
    let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    Spread {
        bars: bars.collect(),
        counted: values.len(),
        without: entries.len() - values.len(),
        median: say(median(&values)),
        mean: say(mean),
        lowest: say(values.first().copied()),
        highest: say(values.last().copied()),
        full: values.iter().filter(|value| **value >= 100.0 - 1e-9).count(),
        median_at: median(&values),
    }
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Lost {
    pub id: String,
    pub title: String,
    /// Mean points lost by those who were scored on it.
    pub mean: String,
    pub max: String,
    /// Submissions that lost any.
    pub losers: usize,
    pub scored: usize,
    /// Waiting for a person.
    pub open: usize,
    /// Mean loss in percent of the criterion's points, for the bar.
    pub percent: f64,
}

/// Points lost by criterion, the dearest first.
pub(super) fn lost(entries: &[ClassEntry]) -> Vec<Lost> {
    use crate::record::CriterionState;
    let mut all: Vec<Lost> = criteria(entries)
        .into_iter()
        .map(|id| {
            let of: Vec<_> =
                entries.iter().flat_map(|e| e.graded.criteria.iter().filter(|c| c.id == id)).collect();
            // What no person has looked at yet is not lost.
            let scored: Vec<_> = of.iter().filter(|c| c.state != CriterionState::Manual).collect();
            let gone: f64 = scored.iter().map(|c| (c.max - c.points).max(0.0)).sum();
            let possible: f64 = scored.iter().map(|c| c.max).sum();
            let title = of.iter().map(|c| c.title.clone()).find(|title| !title.is_empty());
            Lost {
                title: title.unwrap_or_else(|| id.clone()),
                id,
                mean: points(if scored.is_empty() { 0.0 } else { gone / scored.len() as f64 }),
                max: points(of.first().map_or(0.0, |c| c.max)),
                losers: scored.iter().filter(|c| c.points < c.max - 1e-9).count(),
                scored: scored.len(),
                open: of.iter().filter(|c| c.state != CriterionState::Auto).count(),
                percent: if possible > 0.0 { gone / possible * 100.0 } else { 0.0 },
            }
        })
        .collect();
    all.sort_by(|a, b| b.percent.total_cmp(&a.percent));
    all
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Misconception {
    pub rule: String,
    pub title: String,
    pub count: usize,
    /// Of all submissions.
    pub percent: f64,
    pub share: String,
    /// One whose page shows it, in the middle of those by points.
    pub typical: Option<Link>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Link {
    pub name: String,
    pub page: String,
}

/// The rules that an entry breaks where it should not, each once.
pub(super) fn broken_rules(entry: &ClassEntry) -> Vec<String> {
    let mut rules: Vec<String> =
        gathered(&entry.graded).into_iter().filter(|g| g.role == Role::Fix).map(|g| g.finding.rule).collect();
    rules.sort();
    rules.dedup();
    rules
}

/// The class's misconceptions, the commonest first.
pub(super) fn misconceptions(entries: &[&ClassEntry]) -> Vec<Misconception> {
    let mut by_rule: BTreeMap<String, Vec<&ClassEntry>> = BTreeMap::new();
    for entry in entries {
        for rule in broken_rules(entry) {
            by_rule.entry(rule).or_default().push(entry);
        }
    }
    let mut all: Vec<Misconception> = by_rule
        .into_iter()
        .map(|(rule, who)| {
            let percent = who.len() as f64 / entries.len().max(1) as f64 * 100.0;
            let mut with_page: Vec<&ClassEntry> =
                who.iter().copied().filter(|entry| entry.page.is_some()).collect();
            with_page.sort_by(|a, b| a.points().unwrap_or(0.0).total_cmp(&b.points().unwrap_or(0.0)));
            let typical = with_page.get(with_page.len() / 2).and_then(|entry| link(entry));
            Misconception {
                title: rule_title(&rule),
                rule,
                count: who.len(),
                percent,
                share: format!("{} %", points(percent.round())),
                typical,
            }
        })
        .collect();
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.rule.cmp(&b.rule)));
    all
}

pub(super) fn link(entry: &ClassEntry) -> Option<Link> {
    entry.page.as_ref().map(|page| Link { name: entry.name(), page: relative(page) })
}

/// A link that stays below the dashboard's own folder, whatever a student's name holds: percent-encoded, and never
/// taken for a scheme.
fn relative(page: &str) -> String {
    let mut link = String::from("./");
    for byte in page.trim_start_matches(['/', '.']).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                link.push(char::from(byte))
            }
            byte => link.push_str(&format!("%{byte:02X}")),
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, 2.0, 9.0]), Some(2.0));
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), Some(3.0));
    }

    #[test]
    fn a_link_is_never_a_scheme() {
        assert_eq!(relative("javascript:alert(1)"), "./javascript%3Aalert%281%29");
        assert_eq!(relative("students/a b/report.html"), "./students/a%20b/report.html");
    }
}
