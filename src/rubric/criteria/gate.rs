//! Rows that must be exact, in a configuration and on hidden instances.

use super::case::{Case, Judged, enumerated};
use crate::record::{ConfigurationRecord, Row, Verdict};

/// Every row of the kernel in the configuration, each with its share.
pub fn visible(case: &Case<'_>, configuration: &str, kernel: &str) -> Judged {
    let records = case.records(configuration);
    let rows: Vec<(&ConfigurationRecord, &Row)> = rows_of(&records, kernel);
    let title = case.title(configuration);
    if rows.is_empty() {
        return not_run(case, &records, kernel, title);
    }
    let (failed, ours): (Vec<_>, Vec<_>) =
        rows.iter().filter(|(_, row)| !exact(row)).partition(|(record, row)| !not_supported(record, row));
    let mut reasons: Vec<String> = failed.iter().map(|(_, row)| failure(row)).collect();
    reasons.dedup();
    if !failed.is_empty() {
        let share = share_of(rows.len() - failed.len() - ours.len(), rows.len());
        return Judged::decided(share, format!("{title}: {}.", reasons.join("; "))).see(kernel);
    }
    if let Some((_, row)) = ours.first() {
        let why = row.stopped.as_deref().unwrap_or_default();
        return Judged::waiting(0.5, format!("{kernel} could not be run here: {why} A person decides."))
            .see(kernel);
    }
    let runs: u32 = rows.iter().map(|(_, row)| row.runs).sum();
    Judged::decided(1.0, format!("{title}: {kernel} was exact on all {runs} runs."))
}

/// Every row of the kernels on every hidden instance, each with its share. Says how many were wrong, and neither data
/// nor sizes.
pub fn hidden(case: &Case<'_>, kernels: &[String]) -> Judged {
    let records = case.hidden();
    let rows: Vec<(&ConfigurationRecord, &Row)> =
        kernels.iter().flat_map(|kernel| rows_of(&records, kernel)).collect();
    if rows.is_empty() {
        let visible: Vec<&ConfigurationRecord> = case.graded.configurations.iter().collect();
        return match case.students_reason(&visible) {
            Some(reason) => Judged::decided(0.0, reason),
            None => Judged::waiting(0.5, "The hidden instances were not run. A person decides."),
        };
    }
    let failed: Vec<&(&ConfigurationRecord, &Row)> = rows.iter().filter(|(_, row)| !exact(row)).collect();
    if failed.is_empty() {
        return Judged::decided(1.0, "Exact on other data and other sizes too.");
    }
    if failed.iter().all(|(record, row)| not_supported(record, row)) {
        return Judged::waiting(0.5, "The hidden instances could not be run here. A person decides.");
    }
    let mut names: Vec<String> = failed.iter().map(|(_, row)| row.kernel.clone()).collect();
    names.sort();
    names.dedup();
    let what = if failed.iter().any(|(_, row)| row.stopped.is_some()) { "wrong or stopped" } else { "wrong" };
    let reason = format!(
        "On other data and other sizes {} was {what} in {} of {} rows. The answer has to come from the input.",
        enumerated(&names),
        failed.len(),
        rows.len()
    );
    Judged::decided(share_of(rows.len() - failed.len(), rows.len()), reason)
}

fn rows_of<'a>(records: &[&'a ConfigurationRecord], kernel: &str) -> Vec<(&'a ConfigurationRecord, &'a Row)> {
    let all = records.iter().flat_map(|record| record.rows.iter().map(|row| (*record, row)));
    all.filter(|(_, row)| row.kernel == kernel).collect()
}

fn exact(row: &Row) -> bool {
    row.runs > 0 && row.wrong == 0 && row.stopped.is_none()
}

/// Whether a row stopped because of what the device does not do, which is no mistake of the student's: its verdict is
/// then `unknown`.
fn not_supported(record: &ConfigurationRecord, row: &Row) -> bool {
    let unknown = |verdict: &crate::record::KernelVerdict| {
        verdict.kernel == row.kernel && verdict.verdict == Verdict::Unknown
    };
    let unsupported =
        |failure: &String| failure.starts_with(&row.kernel) && failure.contains("could not be run here");
    row.stopped.is_some()
        && row.wrong == 0
        && record.verdicts.iter().any(unknown)
        && record.failures.iter().any(unsupported)
}

fn failure(row: &Row) -> String {
    let name = if row.table == "sweep" {
        format!("{} at {} threads", row.kernel, row.threads)
    } else {
        row.kernel.clone()
    };
    if let Some(reason) = &row.stopped {
        return format!("{name} was stopped: {}", reason.trim_end_matches('.'));
    }
    if row.runs == 0 {
        return format!("{name} never ran");
    }
    let mut text = format!("{name} was wrong on {} of {} runs", row.wrong, row.runs);
    if row.unwritten {
        text.push_str(": its result was never written");
    } else if let (Some(got), Some(want)) = (&row.got, &row.want) {
        let place = row.first_bad.map(|index| format!(" at index {index}")).unwrap_or_default();
        text.push_str(&format!(" (first{place}: got {got}, want {want})"));
    }
    if row.adversary {
        text.push_str(", in executions that the memory model allows");
    }
    text
}

fn not_run(case: &Case<'_>, records: &[&ConfigurationRecord], kernel: &str, title: &str) -> Judged {
    let everything: Vec<&ConfigurationRecord> = case.graded.configurations.iter().collect();
    let nearest = if records.is_empty() { &everything } else { records };
    match case.students_reason(nearest) {
        Some(reason) => Judged::decided(0.0, reason).see(kernel),
        None => Judged::waiting(0.0, format!("{title}: {kernel} was not run. A person decides.")).see(kernel),
    }
}

fn share_of(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
