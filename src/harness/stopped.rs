//! A card says only what kind of fault stopped a kernel; the embedded device knows the array, the index and the line.

use crate::record::{KernelVerdict, SourceLine};

/// Rules whose findings stop a kernel on a card, too. A skipped barrier does not: hardware since Volta goes on.
const STOPPING: [&str; 3] = ["out-of-bounds", "no-progress", "divergent-barrier"];

/// The card's `message` with what the embedded device found of the same kernel, if it found what stops it.
pub fn with_what_is_known(message: &str, verdict: &KernelVerdict) -> String {
    if let Some(finding) = verdict.findings.iter().find(|f| STOPPING.contains(&f.rule.as_str())) {
        let at = words(&finding.first.at);
        return format!(
            "{message}. On the embedded device the same kernel shows why: {} ({at})",
            finding.message
        );
    }
    match (&verdict.reason, &verdict.at) {
        (Some(reason), Some(at)) => {
            format!("{message}. On the embedded device the same kernel: {reason} ({})", words(at))
        }
        (Some(reason), None) => format!("{message}. On the embedded device the same kernel: {reason}"),
        _ => format!("{message}. On the embedded device the same kernel ran to its end"),
    }
}

fn words(at: &SourceLine) -> String {
    format!("line {} of {}", at.line, at.file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Verdict;

    fn verdict(verdict: Verdict, reason: Option<&str>) -> KernelVerdict {
        KernelVerdict {
            kernel: "k".to_owned(),
            verdict,
            reason: reason.map(str::to_owned),
            at: None,
            findings: Vec::new(),
            schedules: 1,
            launches: Vec::new(),
        }
    }

    #[test]
    fn a_trap_is_told_by_the_reason_of_an_unknown_verdict() {
        let known = verdict(Verdict::Unknown, Some("the kernel stopped itself with a trap"));
        let words = with_what_is_known("the kernel `k` was stopped by the card", &known);
        assert!(words.ends_with("the same kernel: the kernel stopped itself with a trap"), "{words}");
    }

    #[test]
    fn a_fault_that_only_the_card_sees_is_said_to_be_one() {
        let words = with_what_is_known("the kernel `k` ran too long", &verdict(Verdict::Defined, None));
        assert!(words.contains("ran to its end"), "{words}");
    }
}
