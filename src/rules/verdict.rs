//! From the checker's report to a kernel's verdict.

use super::explain::explain;
use super::places::Places;
use crate::model::Report;
use crate::record::{KernelVerdict, Verdict};

/// The verdict of one kernel: `undefined` when any finding is an error, else `unknown` when something was not
/// modelled, else `defined`.
///
/// `launches` are the geometries that the report covers, in words (`1024 x 256`).
pub fn verdict(kernel: &str, report: &Report, places: &dyn Places, launches: Vec<String>) -> KernelVerdict {
    let unknown = report.unknown.first();
    let verdict = match (report.has_errors(), unknown) {
        (true, _) => Verdict::Undefined,
        (false, Some(_)) => Verdict::Unknown,
        (false, None) => Verdict::Defined,
    };
    let unknown = unknown.filter(|_| verdict == Verdict::Unknown);
    KernelVerdict {
        kernel: kernel.to_owned(),
        verdict,
        reason: unknown.map(|u| u.reason.clone()),
        at: unknown.and_then(|u| u.site).map(|site| places.line(site)),
        findings: explain(report, places),
        schedules: report.runs,
        launches,
    }
}
