//! Which rows decide, and the sentences that the contract asks of a failure and of a success (rules 1, 2, 7).

use super::row::MeasuredRow;
use crate::device::StopKind;

/// Why a gated row does not hold, as one sentence with the value read; `None` when it holds.
pub fn failure(measured: &MeasuredRow) -> Option<String> {
    let row = &measured.row;
    let name = if row.table == "sweep" {
        format!("{} at {} threads", row.kernel, row.threads)
    } else {
        row.kernel.clone()
    };
    if let Some(reason) = &row.stopped {
        let when = match measured.stop {
            Some(StopKind::Deadline) => "ran out of time",
            Some(StopKind::Unsupported) => "could not be run here",
            _ => "was stopped",
        };
        return Some(format!("{name} {when} in run {}: {reason}", row.runs));
    }
    if row.wrong == 0 {
        return if row.runs == 0 { Some(format!("{name} never ran")) } else { None };
    }
    let first = row.first_bad_run.unwrap_or(0);
    let mut sentence = format!("{name}: wrong on {} of {} runs", row.wrong, row.runs);
    if let Some((buffer, index)) = &measured.changed {
        sentence.push_str(&format!(
            "; run {first} changed its input `{buffer}`, first at index {index}, which it may only read"
        ));
    }
    if let (Some(got), Some(want)) = (&row.got, &row.want) {
        sentence.push_str(&first_value(measured, first, got, want));
    }
    Some(sentence)
}

fn first_value(measured: &MeasuredRow, run: u32, got: &str, want: &str) -> String {
    let row = &measured.row;
    let place = if measured.buffer.is_empty() { String::new() } else { format!(" of `{}`", measured.buffer) };
    let read = if measured.unwritten {
        format!("it was never written, and {want} is wanted")
    } else {
        format!("got {got}, want {want}")
    };
    if measured.elements > 1 {
        let (count, at) = (row.mismatches.unwrap_or(0), row.first_bad.unwrap_or(0));
        format!(
            "; in run {run} {count} of {} elements{place}, first at index {at}: {read}",
            measured.elements
        )
    } else {
        let range = match (&row.lowest, &row.highest) {
            (Some(lowest), Some(highest)) if lowest != highest => {
                format!(" (over all runs {lowest} to {highest})")
            }
            _ => String::new(),
        };
        format!("; run {run}{place}: {read}{range}")
    }
}

/// The line that ends a run whose gates all held.
pub fn success_line(gated: usize) -> String {
    match gated {
        0 => "no kernel of this program is gated".to_owned(),
        1 => "the gated row is exact on every run".to_owned(),
        n => format!("all {n} gated rows are exact on every run"),
    }
}

/// The line that follows the failures.
pub fn trailer(failures: usize) -> String {
    match failures {
        1 => "1 gate did not hold".to_owned(),
        n => format!("{n} gates did not hold"),
    }
}
