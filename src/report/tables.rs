//! The rows of a configuration as tables, in the contract's columns, with the memory model's answer beside
//! each: the two answers are never shown apart.

use serde::Serialize;

use super::gathered::{device, is_embedded, name, verdict_words};
use super::numbers::grouped;
use crate::record::{ConfigurationRecord, KernelVerdict, Row, Verdict};

/// One configuration, for every view that shows rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ConfigurationView {
    pub name: String,
    pub title: String,
    pub device: String,
    pub embedded: bool,
    /// `your file fence_below.cu`, `made by the grader from the template`.
    pub origin: String,
    /// The exercise asked for a bug here: a failed gate is the experiment's result.
    pub asked: Vec<String>,
    pub gates_held: bool,
    pub hidden: bool,
    pub tables: Vec<Table>,
    /// Whether any row is an execution that the adversary chose.
    pub adversary: bool,
    pub failures: Vec<String>,
    pub diagnostics: Vec<DiagnosticView>,
    pub constants: Vec<(String, String)>,
    pub transcript: String,
    pub printed: Vec<Printed>,
    /// Kernels with a verdict of `unknown`, or with a verdict and no row.
    pub verdicts: Vec<VerdictView>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Table {
    /// `sum`, `tally`, `sweep`.
    pub kind: String,
    pub columns: Vec<Column>,
    pub rows: Vec<TableRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Column {
    pub title: &'static str,
    /// For a terminal, where columns are dear.
    pub short: &'static str,
    pub number: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct TableRow {
    pub kernel: String,
    pub cells: Vec<String>,
    /// `held`, `failed`, `report` (report-only), `stopped`.
    pub gate: &'static str,
    pub gate_words: &'static str,
    /// `defined`, `undefined`, `unknown`, or empty when the model was not asked here.
    pub verdict: &'static str,
    pub adversary: bool,
    pub stopped: String,
    /// Why there are fewer runs than were asked for.
    pub fewer: String,
    pub same_as: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct DiagnosticView {
    pub level: String,
    pub file: String,
    pub line: u32,
    pub message: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Printed {
    pub kernel: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct VerdictView {
    pub kernel: String,
    pub verdict: &'static str,
    pub reason: String,
    pub place: String,
    pub schedules: u32,
}

/// One configuration's rows, tables and verdicts.
pub(super) fn configuration_view(configuration: &ConfigurationRecord) -> ConfigurationView {
    let printed = configuration.rows.iter().filter(|row| !row.printed.is_empty());
    ConfigurationView {
        name: configuration.name.clone(),
        title: name(configuration).to_owned(),
        device: device(configuration).to_owned(),
        embedded: is_embedded(configuration),
        origin: match configuration.origin.as_str() {
            "" => String::new(),
            "template" => "made by the grader from the template".to_owned(),
            file => format!("from your file {file}"),
        },
        asked: configuration
            .expects
            .iter()
            .map(|asked| format!("`{}` should show `{}` here", asked.kernel, asked.rule))
            .collect(),
        gates_held: configuration.gates_held,
        hidden: configuration.hidden,
        tables: tables(configuration),
        adversary: configuration.rows.iter().any(|row| row.adversary),
        failures: configuration.failures.clone(),
        diagnostics: configuration
            .diagnostics
            .iter()
            .map(|d| DiagnosticView {
                level: d.level.clone(),
                file: d.file.clone(),
                line: d.line,
                message: d.message.clone(),
                text: d.text.clone(),
            })
            .collect(),
        constants: configuration.constants.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        transcript: configuration.transcript.clone(),
        printed: printed
            .map(|row| Printed { kernel: row.kernel.clone(), text: row.printed.clone() })
            .collect(),
        verdicts: configuration
            .verdicts
            .iter()
            .filter(|v| needs_words(configuration, v))
            .map(verdict_view)
            .collect(),
    }
}

fn needs_words(configuration: &ConfigurationRecord, verdict: &KernelVerdict) -> bool {
    verdict.verdict == Verdict::Unknown || configuration.rows.iter().all(|row| row.kernel != verdict.kernel)
}

fn verdict_view(verdict: &KernelVerdict) -> VerdictView {
    VerdictView {
        kernel: verdict.kernel.clone(),
        verdict: verdict_words(verdict.verdict),
        reason: verdict.reason.clone().unwrap_or_default(),
        place: verdict
            .at
            .as_ref()
            .filter(|at| at.line > 0)
            .map(|at| format!("{}:{}", at.file, at.line))
            .unwrap_or_default(),
        schedules: verdict.schedules,
    }
}

/// The rows, one table for each of the contract's formats that occurs.
fn tables(configuration: &ConfigurationRecord) -> Vec<Table> {
    let mut kinds: Vec<&str> = Vec::new();
    for row in &configuration.rows {
        if !kinds.contains(&row.table.as_str()) {
            kinds.push(&row.table);
        }
    }
    kinds
        .into_iter()
        .map(|kind| Table {
            kind: kind.to_owned(),
            columns: columns(kind),
            rows: configuration
                .rows
                .iter()
                .filter(|row| row.table == kind)
                .map(|row| table_row(configuration, kind, row))
                .collect(),
        })
        .collect()
}

fn columns(kind: &str) -> Vec<Column> {
    let titles: &[&str] = match kind {
        "tally" => &["launch", "runs", "wrong", "lowest count", "wanted"],
        "sweep" => &["threads", "mismatches", "first bad", "read there", "wanted"],
        _ => &["launch", "runs", "wrong", "first bad run", "read there", "wanted"],
    };
    let short = |title: &'static str| match title {
        "first bad run" | "first bad" => "bad",
        "read there" => "read",
        "lowest count" => "lowest",
        other => other,
    };
    titles.iter().map(|title| Column { title, short: short(title), number: *title != "launch" }).collect()
}

fn table_row(configuration: &ConfigurationRecord, kind: &str, row: &Row) -> TableRow {
    let count = |value: Option<u64>| value.map_or_else(dash, grouped);
    let text = |value: &Option<String>| value.as_deref().map_or_else(dash, cell);
    let launch = if row.launch.is_empty() { dash() } else { row.launch.replace(" x ", " × ") };
    let runs = || grouped(row.runs.into());
    let wrong = || grouped(row.wrong.into());
    let cells = match kind {
        "tally" => vec![launch, runs(), wrong(), text(&row.lowest), text(&row.want)],
        "sweep" => {
            let threads = if row.threads == 0 { dash() } else { row.threads.to_string() };
            vec![threads, count(row.mismatches), count(row.first_bad), text(&row.got), text(&row.want)]
        }
        _ => vec![
            launch,
            runs(),
            wrong(),
            count(row.first_bad_run.map(u64::from)),
            text(&row.got),
            text(&row.want),
        ],
    };
    let gate = gate(row);
    TableRow {
        kernel: row.kernel.clone(),
        cells,
        gate,
        gate_words: match gate {
            "held" => "gate held",
            "failed" => "gate failed",
            "stopped" => "stopped",
            _ => "report only",
        },
        verdict: verdict_of(configuration, &row.kernel),
        adversary: row.adversary,
        // What the failures below say is not said twice.
        stopped: row
            .stopped
            .clone()
            .filter(|stopped| !configuration.failures.iter().any(|failure| failure.contains(stopped)))
            .unwrap_or_default(),
        fewer: row.fewer_runs().unwrap_or_default(),
        same_as: row.same_as.clone().unwrap_or_default(),
    }
}

/// A value as it fits a cell: what a kernel computes is short, what it forges may not be.
fn cell(value: &str) -> String {
    let line = super::inert::one_line(value);
    if line.chars().count() <= 40 { line } else { line.chars().take(39).chain(['…']).collect() }
}

fn dash() -> String {
    "–".to_owned()
}

/// Whether a row's gate held. A row that stopped early failed, and one that never ran did not hold.
pub(super) fn gate(row: &Row) -> &'static str {
    match (row.gated, row.stopped.is_some()) {
        (false, _) => "report",
        (true, true) => "stopped",
        (true, false) if row.wrong == 0 && row.runs > 0 => "held",
        (true, false) => "failed",
    }
}

fn verdict_of(configuration: &ConfigurationRecord, kernel: &str) -> &'static str {
    configuration.verdicts.iter().find(|v| v.kernel == kernel).map_or("", |v| verdict_words(v.verdict))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_that_never_ran_did_not_hold() {
        let row = Row { gated: true, ..Row::default() };
        assert_eq!(gate(&row), "failed");
        assert_eq!(gate(&Row { runs: 3, ..row.clone() }), "held");
        assert_eq!(gate(&Row { stopped: Some("step budget".into()), ..row.clone() }), "stopped");
        assert_eq!(gate(&Row { gated: false, ..row }), "report");
    }
}
