//! Who needs a person's look, and why.

use serde::Serialize;

use super::super::class::ClassEntry;
use super::super::tables::gate;
use super::statistics::{Link, link};
use crate::record::{CriterionState, Status, Verdict};

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Attention {
    pub name: String,
    pub link: Option<Link>,
    pub reasons: Vec<String>,
    /// 0 for a fault: first.
    pub urgency: u8,
}

/// Entries that a person must look at, the grader's own faults first.
pub(super) fn attention(entries: &[&ClassEntry]) -> Vec<Attention> {
    let mut all: Vec<Attention> = entries
        .iter()
        .filter_map(|entry| {
            let reasons = reasons(entry);
            let urgency = reasons.iter().map(|(urgency, _)| *urgency).min()?;
            let reasons = reasons.into_iter().map(|(_, reason)| reason).collect();
            Some(Attention { name: entry.name(), link: link(entry), reasons, urgency })
        })
        .collect();
    // Stable: within one urgency the order stays by name.
    all.sort_by_key(|attention| attention.urgency);
    all
}

/// Notices of what has no place in an honest program, or is easily overlooked in one.
const ODD: [&str; 3] = ["grader-detection", "architecture-dependent", "turned-text"];

/// Why a person must look, each with its urgency: 0 fault, 1 rejected, 2 odd, 3 waiting for points.
pub(super) fn reasons(entry: &ClassEntry) -> Vec<(u8, String)> {
    let graded = &entry.graded;
    let mut reasons = Vec::new();
    match graded.status {
        Status::Fault => reasons.push((0, format!("the grader failed: {}", graded.message))),
        Status::Rejected => reasons.push((1, format!("nothing could be graded: {}", graded.message))),
        Status::Graded => {}
    }
    for configuration in graded.configurations.iter().filter(|c| !c.hidden) {
        for verdict in &configuration.verdicts {
            let gated = configuration.rows.iter().any(|row| row.gated && row.kernel == verdict.kernel);
            if gated && verdict.verdict == Verdict::Unknown {
                let why = verdict.reason.as_deref().unwrap_or("no reason given");
                reasons.push((2, format!("`{}` is undecided: {why}", verdict.kernel)));
            }
        }
    }
    if let Some(kernel) = only_hidden_fails(entry) {
        reasons.push((
            2,
            format!("`{kernel}` is right on the data that the student can see, and wrong on hidden data"),
        ));
    }
    for notice in graded.notices.iter().filter(|notice| ODD.contains(&notice.kind.as_str())) {
        reasons.push((2, format!("line {} of {}: {}", notice.line, notice.file, notice.message)));
    }
    let waiting = |state: CriterionState, words: &str| {
        let of: Vec<&str> =
            graded
                .criteria
                .iter()
                .filter(|criterion| criterion.state == state)
                .map(|criterion| {
                    if criterion.title.is_empty() { criterion.id.as_str() } else { criterion.title.as_str() }
                })
                .collect();
        (!of.is_empty()).then(|| (3, format!("{words}: {}", of.join("; "))))
    };
    if graded.status == Status::Graded {
        reasons.extend(waiting(CriterionState::Provisional, "to confirm"));
        reasons.extend(waiting(CriterionState::Manual, "to score"));
    }
    reasons
}

/// A kernel whose visible gates all held while a hidden one did not: an answer that fits the known data only.
fn only_hidden_fails(entry: &ClassEntry) -> Option<&str> {
    let (hidden, open): (Vec<_>, Vec<_>) = entry.graded.configurations.iter().partition(|c| c.hidden);
    let rows = |of: &[&'_ crate::record::ConfigurationRecord], kernel: &str, held: bool| {
        let mut rows =
            of.iter().flat_map(|c| &c.rows).filter(|row| row.gated && row.kernel == kernel).peekable();
        rows.peek().is_some()
            && if held { rows.all(|row| gate(row) == "held") } else { rows.any(|row| gate(row) != "held") }
    };
    let kernels = hidden.iter().flat_map(|c| &c.rows).filter(|row| row.gated).map(|row| row.kernel.as_str());
    kernels.into_iter().find(|kernel| rows(&open, kernel, true) && rows(&hidden, kernel, false))
}
