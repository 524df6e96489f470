//! compute-sanitizer beside our findings, as rows of text.

use serde::Serialize;

use super::page::place;
use crate::record::{ComparedLine, SanitizerRecord, ToolRecord};

/// The section, ready to be shown.
#[derive(Debug, Serialize)]
pub(super) struct BesideView {
    pub title: String,
    /// One a tool: whether it is to be believed, and what it took.
    pub tools: Vec<String>,
    pub rows: Vec<BesideRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct BesideRow {
    pub kernel: String,
    pub place: String,
    pub ours: String,
    pub theirs: String,
    /// `both`, `warpgrade alone`, `compute-sanitizer alone`.
    pub who: String,
}

pub(super) fn beside_view(record: &SanitizerRecord) -> BesideView {
    BesideView {
        title: format!("NVIDIA's compute-sanitizer {} on {}", record.version, record.device),
        tools: record.tools.iter().map(tool).collect(),
        rows: record.lines.iter().map(row).collect(),
    }
}

fn tool(tool: &ToolRecord) -> String {
    let findings = match tool.findings {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        n => format!("{n} findings"),
    };
    let state = match tool.state.as_str() {
        "believed" => "it reported the bug of its canary".to_owned(),
        "canary-missed" => {
            "it did not report a bug that was put before it, so that its silence says nothing".to_owned()
        }
        "timed-out" => "stopped at its time limit".to_owned(),
        _ => format!("it could not be run: {}", tool.reason),
    };
    format!("{}: {findings} in {:.1} s; {state}", tool.tool, tool.seconds)
}

fn row(line: &ComparedLine) -> BesideRow {
    let list = |texts: &[String]| if texts.is_empty() { "-".to_owned() } else { texts.join("; ") };
    let who = match (line.ours.is_empty(), line.theirs.is_empty()) {
        (false, false) => "both",
        (false, true) => "warpgrade alone",
        _ => "compute-sanitizer alone",
    };
    BesideRow {
        kernel: line.kernel.clone(),
        place: place(&line.file, line.line, 0),
        ours: list(&line.ours),
        theirs: list(&line.theirs),
        who: who.to_owned(),
    }
}
