//! What a mutant or an example gave, against what it must give.

use super::{Expected, ExpectedRule};
use crate::record::{ConfigurationRecord, Finding, Graded, KernelVerdict, Row, Severity, Verdict};

impl Expected {
    /// What was not as expected, one sentence each; empty when all of it was. `exit` is the exit code of the grading.
    ///
    /// A kernel that a configuration is meant to break is left out of `defined`, `exact` and `wrong` there.
    pub fn unmet(&self, graded: &Graded, exit: i32) -> Vec<String> {
        let mut unmet = Vec::new();
        if let Some(wanted) = self.exit.filter(|wanted| *wanted != exit) {
            unmet.push(format!("exit code {exit}, expected {wanted}"));
        }
        unmet.extend(self.points(graded));
        unmet.extend(self.rules.iter().filter_map(|rule| missing_rule(rule, graded)));
        unmet.extend(self.defined.iter().filter_map(|kernel| not_defined(kernel, graded)));
        unmet.extend(self.exact.iter().filter_map(|kernel| not_exact(kernel, graded)));
        unmet.extend(self.wrong.iter().filter_map(|kernel| not_wrong(kernel, graded)));
        for kind in self.notices.iter().filter(|kind| !graded.notices.iter().any(|n| n.kind == **kind)) {
            let found: Vec<&str> = graded.notices.iter().map(|notice| notice.kind.as_str()).collect();
            unmet.push(format!("no notice `{kind}`; there are: {}", found.join(", ")));
        }
        for words in
            self.says.iter().filter(|words| !messages(graded).iter().any(|m| m.contains(words.as_str())))
        {
            unmet.push(format!("no message says `{words}`"));
        }
        unmet
    }

    fn points(&self, graded: &Graded) -> Option<String> {
        let (low, high) = self.percent?;
        let Some(score) = &graded.score else { return Some(format!("no score: {}", graded.message)) };
        let percent = if score.max > 0.0 { 100.0 * score.points / score.max } else { 0.0 };
        (!(low - 1e-9..=high + 1e-9).contains(&percent)).then(|| {
            let lost = graded.criteria.iter().filter(|criterion| criterion.points < criterion.max);
            let lost: Vec<String> =
                lost.map(|c| format!("{} {}/{} ({})", c.id, c.points, c.max, c.reason)).collect();
            format!("{percent:.1} percent, expected {low} to {high}; lost: {}", lost.join("; "))
        })
    }
}

/// The verdicts on a kernel, without those of configurations that are meant to break it.
fn verdicts<'a>(kernel: &'a str, graded: &'a Graded) -> impl Iterator<Item = &'a KernelVerdict> {
    let records = graded.configurations.iter().filter(move |record| !meant_to_break(record, kernel));
    records.flat_map(|record| &record.verdicts).filter(move |verdict| verdict.kernel == kernel)
}

fn rows<'a>(kernel: &'a str, graded: &'a Graded) -> impl Iterator<Item = (&'a ConfigurationRecord, &'a Row)> {
    let records = graded.configurations.iter().filter(move |record| !meant_to_break(record, kernel));
    let rows = records.flat_map(|record| record.rows.iter().map(move |row| (record, row)));
    rows.filter(move |(_, row)| row.kernel == kernel)
}

fn meant_to_break(record: &ConfigurationRecord, kernel: &str) -> bool {
    record.expects.iter().any(|expected| expected.kernel == kernel)
}

fn missing_rule(expected: &ExpectedRule, graded: &Graded) -> Option<String> {
    let in_place = |record: &&ConfigurationRecord| match &expected.configuration {
        Some(name) => !record.hidden && record.name == *name,
        None => !meant_to_break(record, &expected.kernel),
    };
    let records = graded.configurations.iter().filter(in_place);
    let found: Vec<&Finding> = records
        .flat_map(|record| &record.verdicts)
        .filter(|verdict| verdict.kernel == expected.kernel)
        .flat_map(|verdict| &verdict.findings)
        .collect();
    let is_it = |finding: &&Finding| finding.rule == expected.rule && finding.severity != Severity::Note;
    if found.iter().any(is_it) {
        return None;
    }
    let rules: Vec<&str> = found.iter().map(|finding| finding.rule.as_str()).collect();
    let there = if rules.is_empty() { "nothing".to_owned() } else { rules.join(", ") };
    Some(format!("{} was not found in {}; found: {there}", expected.rule, expected.kernel))
}

fn not_defined(kernel: &str, graded: &Graded) -> Option<String> {
    let mut any = false;
    for verdict in verdicts(kernel, graded) {
        any = true;
        if verdict.verdict != Verdict::Defined {
            let why =
                verdict.findings.first().map(|finding| format!("{}: {}", finding.rule, finding.message));
            let why = why.or_else(|| verdict.reason.clone()).unwrap_or_default();
            return Some(format!("{kernel} is {:?}, expected defined ({why})", verdict.verdict));
        }
    }
    (!any).then(|| format!("there is no verdict on {kernel}"))
}

fn not_exact(kernel: &str, graded: &Graded) -> Option<String> {
    let mut any = false;
    for (record, row) in rows(kernel, graded) {
        any = true;
        if row.runs == 0 || row.wrong > 0 || row.stopped.is_some() {
            let stopped = row.stopped.as_deref().map(|why| format!(", stopped: {why}")).unwrap_or_default();
            let place = if record.hidden { "a hidden instance" } else { record.name.as_str() };
            return Some(format!(
                "{kernel} was wrong on {} of {} runs in {place}{stopped}",
                row.wrong, row.runs
            ));
        }
    }
    (!any).then(|| format!("there is no row of {kernel}"))
}

fn not_wrong(kernel: &str, graded: &Graded) -> Option<String> {
    let wrong = |row: &Row| row.wrong > 0 || row.stopped.is_some();
    (!rows(kernel, graded).any(|(_, row)| wrong(row))).then(|| format!("no row of {kernel} was wrong"))
}

/// Everything that a student is told in words.
fn messages(graded: &Graded) -> Vec<&str> {
    let mut messages = vec![graded.message.as_str()];
    messages.extend(graded.notices.iter().map(|notice| notice.message.as_str()));
    messages.extend(graded.criteria.iter().map(|criterion| criterion.reason.as_str()));
    for record in &graded.configurations {
        messages.extend(record.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()));
        messages.extend(record.failures.iter().map(String::as_str));
        messages.extend(record.rows.iter().filter_map(|row| row.stopped.as_deref()));
    }
    messages
}
