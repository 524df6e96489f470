//! From a device's outcome to the row that the contract prints.

use super::fill::is_poison;
use super::plan::PlannedRow;
use crate::device::{Comparison, JobOutcome, RunOutcome, StopKind, Value};
use crate::exercise::Table;
use crate::record::Row;

/// A row of the record, and what its failure sentence needs besides.
#[derive(Debug, Clone)]
pub struct MeasuredRow {
    pub row: Row,
    /// Name of the buffer that was wrong first, when there is more than one.
    pub buffer: String,
    /// Elements of that buffer.
    pub elements: u64,
    /// The first wrong element was never written.
    pub unwritten: bool,
    /// A read-only buffer that the kernel changed, and its first changed element.
    pub changed: Option<(String, u64)>,
    pub stop: Option<StopKind>,
}

/// Counts what went wrong over all runs.
pub fn measure(planned: &PlannedRow, outcome: &JobOutcome, adversary: bool) -> MeasuredRow {
    let mut row = empty_row(planned);
    row.runs = outcome.runs.len() as u32;
    row.asked = outcome.asked;
    row.adversary = adversary;
    row.stopped = outcome.stopped.as_ref().map(|s| s.message.clone());
    row.printed = outcome.printed.clone();
    if outcome.printed_cut {
        row.printed.push_str("\n[cut here: the kernel printed more than is kept]\n");
    }
    let mut measured = MeasuredRow {
        row,
        buffer: String::new(),
        elements: 0,
        unwritten: false,
        changed: None,
        stop: outcome.stopped.as_ref().map(|s| s.kind),
    };
    for (number, run) in outcome.runs.iter().enumerate() {
        if run.is_wrong() {
            measured.row.wrong += 1;
            if measured.row.first_bad_run.is_none() {
                measured.row.first_bad_run = Some(number as u32);
                note_first_bad(&mut measured, planned, run);
            }
        }
    }
    if measured.row.want.is_none() {
        measured.row.want =
            outcome.runs.first().and_then(|r| r.comparisons.first()?.want).map(|v| v.to_string());
    }
    if planned.table == Table::Sweep && !outcome.runs.is_empty() {
        measured.row.mismatches.get_or_insert(0);
    }
    if planned.table == Table::Tally {
        note_range(&mut measured.row, &outcome.runs);
    }
    measured
}

fn empty_row(planned: &PlannedRow) -> Row {
    Row {
        kernel: planned.label.clone(),
        table: table_name(planned.table).to_owned(),
        launch: planned.launch(),
        threads: planned.threads(),
        gated: planned.gated,
        runs: 0,
        asked: None,
        wrong: 0,
        first_bad_run: None,
        mismatches: None,
        first_bad: None,
        got: None,
        want: None,
        lowest: None,
        highest: None,
        stopped: None,
        adversary: false,
        printed: String::new(),
        same_as: None,
        unwritten: false,
    }
}

/// The record's name of a table.
pub fn table_name(table: Table) -> &'static str {
    match table {
        Table::Sum => "sum",
        Table::Tally => "tally",
        Table::Sweep => "sweep",
    }
}

fn note_first_bad(measured: &mut MeasuredRow, planned: &PlannedRow, run: &RunOutcome) {
    measured.changed = run.changed.iter().next().map(|(name, &at)| (name.clone(), at));
    let wrong: Option<(usize, &Comparison)> =
        run.comparisons.iter().enumerate().find(|(_, c)| c.mismatches > 0);
    let Some((index, comparison)) = wrong else { return };
    let row = &mut measured.row;
    row.mismatches = Some(comparison.mismatches);
    row.first_bad = comparison.first;
    row.got = comparison.got.map(|v| v.to_string());
    row.want = comparison.want.map(|v| v.to_string());
    if let Some(buffer) = planned.expect.get(index).and_then(|e| planned.buffers.get(e.buffer)) {
        measured.elements = buffer.contents.len() as u64 / u64::from(buffer.ty.bytes());
        if planned.expect.len() > 1 {
            measured.buffer.clone_from(&buffer.name);
        }
        measured.unwritten = comparison.got.is_some_and(|got| poisoned(got, buffer.ty));
        measured.row.unwritten = measured.unwritten && comparison.mismatches == measured.elements;
    }
}

/// Whether a value read is the poison, bit for bit.
fn poisoned(value: Value, ty: crate::exercise::ElementType) -> bool {
    let wide = match value {
        Value::I64(v) => v.to_le_bytes().to_vec(),
        Value::U64(v) => v.to_le_bytes().to_vec(),
        Value::F32(v) => v.to_le_bytes().to_vec(),
        Value::F64(v) => v.to_le_bytes().to_vec(),
    };
    wide.get(..ty.bytes() as usize).is_some_and(|bytes| is_poison(bytes, ty))
}

/// The lowest and the highest count over all runs.
fn note_range(row: &mut Row, runs: &[RunOutcome]) {
    let values: Vec<Value> = runs.iter().filter_map(|r| r.comparisons.first()?.got).collect();
    let by_size = |a: &&Value, b: &&Value| a.as_f64().total_cmp(&b.as_f64());
    row.lowest = values.iter().min_by(by_size).map(|v| v.to_string());
    row.highest = values.iter().max_by(by_size).map(|v| v.to_string());
}
