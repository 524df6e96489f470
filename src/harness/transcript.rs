//! The contract's output in its own table format (rules 6 and 7), naming the device it is from.

use std::collections::BTreeMap;

use super::gates::{success_line, trailer};
use crate::record::Row;

/// What a transcript is made of.
#[derive(Debug, Clone, Copy)]
pub struct Transcript<'a> {
    /// `embedded`, or the card's name.
    pub device: &'a str,
    /// Constants as read back from the program.
    pub constants: &'a BTreeMap<String, String>,
    pub rows: &'a [Row],
    /// Failure sentences of the gated rows.
    pub failures: &'a [String],
}

/// Writes the transcript: the device, the sizes, a table for each kind of row, what is reported only, the outcome.
pub fn transcript(parts: Transcript) -> String {
    let mut out = String::new();
    line(&mut out, &device_line(parts.device, parts.rows));
    let sizes: Vec<String> =
        parts.constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if !sizes.is_empty() {
        line(&mut out, &sizes.join(", "));
    }
    for (table, header, format) in TABLES {
        let rows: Vec<&Row> = parts.rows.iter().filter(|row| row.table == table).collect();
        if rows.is_empty() {
            continue;
        }
        line(&mut out, "");
        line(&mut out, &header());
        for row in rows {
            line(&mut out, &format(row));
        }
    }
    notes(&mut out, parts.rows);
    line(&mut out, "");
    for failure in parts.failures {
        line(&mut out, failure);
    }
    if parts.failures.is_empty() {
        line(&mut out, &success_line(parts.rows.iter().filter(|r| r.gated).count()));
    } else {
        line(&mut out, &trailer(parts.failures.len()));
    }
    out
}

fn device_line(device: &str, rows: &[Row]) -> String {
    if device != "embedded" {
        return format!("GPU: {device}");
    }
    let stale = if rows.iter().any(|r| r.adversary) {
        "; where the memory model lets a read return an old value, it does"
    } else {
        ""
    };
    format!("GPU: none; these rows are from warpgrade's embedded device{stale}")
}

type Header = fn() -> String;
type Format = fn(&Row) -> String;
const TABLES: [(&str, Header, Format); 3] =
    [("sum", sum_header, sum_row), ("tally", tally_header, tally_row), ("sweep", sweep_header, sweep_row)];

fn sum_header() -> String {
    format!("{:<20} {:>5} {:>6}  {:>13}  {:>14}", "kernel", "runs", "wrong", "first bad run", "total there")
}

fn sum_row(row: &Row) -> String {
    let there = if row.wrong > 0 { row.got.as_deref() } else { None };
    let first = number_or_dash(row.first_bad_run);
    format!(
        "{:<20} {:>5} {:>6}  {:>13}  {:>14}",
        row.kernel,
        row.runs,
        row.wrong,
        first,
        there.unwrap_or("-")
    )
}

fn tally_header() -> String {
    format!("{:<24} {:>5} {:>6}  {:>13}  {:>10}", "tally kernel", "runs", "wrong", "lowest count", "want")
}

fn tally_row(row: &Row) -> String {
    let lowest = row.lowest.as_deref().unwrap_or("-");
    let want = row.want.as_deref().unwrap_or("-");
    format!("{:<24} {:>5} {:>6}  {lowest:>13}  {want:>10}", row.kernel, row.runs, row.wrong)
}

fn sweep_header() -> String {
    format!("{:>7}  {:<32} {:>11} {:>11} {:>6}", "threads", "kernel", "mismatches", "first bad", "gated")
}

fn sweep_row(row: &Row) -> String {
    let gated = if row.gated { "yes" } else { "no" };
    let mismatches = number_or_dash(row.mismatches);
    let first = number_or_dash(row.first_bad);
    format!("{:>7}  {:<32} {mismatches:>11} {first:>11} {gated:>6}", row.threads, row.kernel)
}

fn number_or_dash(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "-".to_owned(), |n| n.to_string())
}

/// Rows that stopped, have fewer runs or were not run again, and the line of what is reported only.
fn notes(out: &mut String, rows: &[Row]) {
    let mut any = false;
    let mut note = |out: &mut String, text: String| {
        if !std::mem::replace(&mut any, true) {
            line(out, "");
        }
        line(out, &text);
    };
    for row in rows {
        if let Some(reason) = &row.stopped {
            note(out, format!("{} stopped in run {}: {reason}", row.kernel, row.runs));
        }
        if let Some(words) = row.fewer_runs() {
            note(out, format!("{}: {words}", row.kernel));
        }
        if let Some(other) = &row.same_as {
            note(out, format!("{} is the same program as in `{other}` and was not run again", row.kernel));
        }
    }
    let reported: Vec<String> = rows
        .iter()
        .filter(|row| !row.gated)
        .map(|row| {
            let at = if row.table == "sweep" { format!(" at {}", row.threads) } else { String::new() };
            format!("{}{at} wrong on {} of {} runs", row.kernel, row.wrong, row.runs)
        })
        .collect();
    if !reported.is_empty() {
        note(out, format!("reported, not gated: {}", reported.join(", ")));
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}
