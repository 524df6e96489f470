//! Who reads a report, and what they may see.
//!
//! Students see that a hidden instance held or did not, and for which kernel: not its sizes, data,
//! constants, output or findings. Nor do they see a line of a file that is neither theirs nor the
//! template, a secret, or a path of the machine that graded.

use std::collections::BTreeSet;

use crate::record::{ConfigurationRecord, Finding, Graded, KernelVerdict, Row, SourceLine};

/// The reader of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Student,
    Staff,
}

/// The record as its reader may see it; staff see all of it.
pub fn audience(graded: &Graded, reader: Audience) -> Graded {
    match reader {
        Audience::Staff => graded.clone(),
        Audience::Student => for_student(graded),
    }
}

fn for_student(graded: &Graded) -> Graded {
    let secrets = hidden_values(graded);
    let files = visible_files(graded);
    let say = |text: &str| without_paths(&without_secrets(text, &secrets));
    let mut shown = graded.clone();

    let mut hidden = 0;
    for configuration in &mut shown.configurations {
        if configuration.hidden {
            hidden += 1;
            *configuration = closed(configuration, hidden);
            continue;
        }
        for verdict in &mut configuration.verdicts {
            for_student_verdict(verdict, &files, &say);
        }
        for row in &mut configuration.rows {
            row.stopped = row.stopped.as_deref().map(&say);
        }
        configuration.failures.iter_mut().for_each(|failure| *failure = say(failure));
        for diagnostic in &mut configuration.diagnostics {
            if !files.contains(&diagnostic.file) {
                diagnostic.file = base_name(&diagnostic.file);
                diagnostic.text.clear();
            }
            diagnostic.message = say(&diagnostic.message);
        }
    }

    shown.message = say(&shown.message);
    for criterion in &mut shown.criteria {
        criterion.reason = say(&criterion.reason);
    }
    for notice in &mut shown.notices {
        notice.message = say(&notice.message);
        if !files.contains(&notice.file) {
            notice.file = base_name(&notice.file);
        }
    }
    shown.hints.iter_mut().for_each(|hint| *hint = say(hint));
    shown
        .versions
        .retain(|key, _| !key.contains("seed") && !key.contains("secret") && !key.contains("oracle"));
    shown.versions.values_mut().for_each(|value| *value = say(value));
    shown
}

fn for_student_verdict(verdict: &mut KernelVerdict, files: &BTreeSet<String>, say: &impl Fn(&str) -> String) {
    verdict.reason = verdict.reason.as_deref().map(say);
    if let Some(at) = &mut verdict.at {
        close_line(at, files);
    }
    for finding in &mut verdict.findings {
        for_student_finding(finding, files, say);
    }
}

fn for_student_finding(finding: &mut Finding, files: &BTreeSet<String>, say: &impl Fn(&str) -> String) {
    finding.message = say(&finding.message);
    finding.advice = say(&finding.advice);
    close_line(&mut finding.first.at, files);
    if let Some(second) = &mut finding.second {
        close_line(&mut second.at, files);
    }
    if let Some(witness) = &mut finding.witness {
        witness.story = say(&witness.story);
        witness.steps.iter_mut().for_each(|step| close_line(&mut step.at, files));
    }
}

/// A hidden instance, closed: its number, the kernels, and whether each held.
fn closed(configuration: &ConfigurationRecord, number: usize) -> ConfigurationRecord {
    let rows = configuration.rows.iter().filter(|row| row.gated).map(|row| Row {
        kernel: row.kernel.clone(),
        table: row.table.clone(),
        gated: true,
        runs: row.runs,
        wrong: row.wrong,
        stopped: row.stopped.as_ref().map(|_| "stopped before the end".to_owned()),
        adversary: row.adversary,
        ..Row::default()
    });
    ConfigurationRecord {
        name: format!("hidden-{number}"),
        title: format!("Hidden instance {number}"),
        device: configuration.device.clone(),
        rows: rows.collect(),
        gates_held: configuration.gates_held,
        hidden: true,
        ..ConfigurationRecord::default()
    }
}

/// Files whose lines a student may see: their own, and the template, which is published.
fn visible_files(graded: &Graded) -> BTreeSet<String> {
    let own = graded.sources.iter().map(|source| &source.file);
    let given = graded.inputs.iter().map(|input| &input.file);
    let edited =
        graded.edits.iter().map(|edit| &edit.file).chain(graded.ignored.iter().map(|note| &note.file));
    own.chain(given).chain(edited).cloned().chain(["template".to_owned()]).collect()
}

fn close_line(at: &mut SourceLine, files: &BTreeSet<String>) {
    if !files.contains(&at.file) {
        at.file = base_name(&at.file);
        at.text.clear();
    }
    for (file, _) in &mut at.inlined_from {
        if !files.contains(file) {
            *file = base_name(file);
        }
    }
}

fn base_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}

/// Names and values that occur in hidden instances alone.
fn hidden_values(graded: &Graded) -> Vec<String> {
    fn of(configuration: &ConfigurationRecord) -> Vec<&str> {
        let mut values = vec![configuration.name.as_str(), configuration.title.as_str()];
        values.extend(configuration.constants.values().map(String::as_str));
        for row in &configuration.rows {
            let cells = [&row.got, &row.want, &row.lowest, &row.highest];
            values.extend(cells.into_iter().flatten().map(String::as_str));
            values.push(&row.launch);
        }
        values
    }
    let (hidden, open): (Vec<_>, Vec<_>) = graded.configurations.iter().partition(|c| c.hidden);
    let known: BTreeSet<&str> = open.into_iter().flat_map(of).collect();
    // A short value, like `32`, says nothing and would blot out half of the text.
    let mut secret: Vec<String> = hidden
        .into_iter()
        .flat_map(of)
        .filter(|value| value.len() >= 4 && !known.contains(value))
        .map(str::to_owned)
        .collect();
    // Longest first, so that no value is cut by one that it contains.
    secret.sort_by_key(|value| std::cmp::Reverse(value.len()));
    secret.dedup();
    secret
}

fn without_secrets(text: &str, secrets: &[String]) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| without_word(&text, secret))
}

/// Replaces `word` where it stands alone: `5120`, and not the middle of `151200`.
fn without_word(text: &str, word: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let end = at + word.len();
        let joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        // What is before this part has been copied already, so the last copied character is its neighbour.
        let before = if at == 0 { shown.chars().next_back() } else { rest[..at].chars().next_back() };
        shown.push_str(&rest[..at]);
        let alone = !joined(before) && !joined(rest[end..].chars().next());
        shown.push_str(if alone { "(hidden)" } else { word });
        rest = &rest[end..];
    }
    shown.push_str(rest);
    shown
}

/// Absolute paths cut to their last part: a student needs no view of our folders.
fn without_paths(text: &str) -> String {
    const ROOTS: [&str; 11] = [
        "/home/", "/root/", "/tmp/", "/usr/", "/var/", "/opt/", "/mnt/", "/work/", "/Users/", "/proc/",
        "/etc/",
    ];
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = ROOTS.iter().filter_map(|root| rest.find(root)).min() {
        let path = &rest[start..];
        let end = path.find(|c: char| c.is_whitespace() || "\"'`,;:)>".contains(c)).unwrap_or(path.len());
        shown.push_str(&rest[..start]);
        shown.push_str(path[..end].rsplit('/').find(|part| !part.is_empty()).unwrap_or(""));
        rest = &path[end..];
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_number_is_hidden_where_it_stands_alone() {
        assert_eq!(without_word("5120 of 15120, n=5120.", "5120"), "(hidden) of 15120, n=(hidden).");
    }

    #[test]
    fn machine_paths_are_cut_to_their_last_part() {
        assert_eq!(without_paths("from /home/ta/.cache/x/lib.so.12: no"), "from lib.so.12: no");
        assert_eq!(without_paths("a / b and 3/4"), "a / b and 3/4");
    }
}
