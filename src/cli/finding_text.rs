//! A verdict as text for a terminal: findings with both lines, the story, what to try.

use crate::record::{AccessNote, Finding, KernelVerdict, Severity, SourceLine, Verdict};
use crate::report::visible;

/// The verdict and all its findings.
pub fn verdict_text(verdict: &KernelVerdict) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(&visible(text));
        out.push('\n');
    };
    let word = match verdict.verdict {
        Verdict::Defined => "defined",
        Verdict::Undefined => "UNDEFINED",
        Verdict::Unknown => "unknown",
    };
    let launches = if verdict.launches.is_empty() {
        String::new()
    } else {
        format!(" at {}", verdict.launches.join(", "))
    };
    let schedules = if verdict.schedules == 1 {
        "1 schedule".to_owned()
    } else {
        format!("{} schedules", verdict.schedules)
    };
    line(&format!("{}{launches}: {word} ({schedules} checked)", verdict.kernel));
    if let Some(reason) = &verdict.reason {
        let at = verdict.at.as_ref().map(|at| format!(" ({})", place(at))).unwrap_or_default();
        line(&format!("  {reason}{at}"));
    }
    for finding in &verdict.findings {
        for text in finding_lines(finding) {
            line(&text);
        }
    }
    out
}

fn finding_lines(finding: &Finding) -> Vec<String> {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::WithinWarp => "error, within a warp",
        Severity::Note => "note",
    };
    let times = if finding.count > 1 { format!(" ({} times)", finding.count) } else { String::new() };
    let mut lines = vec![String::new(), format!("{severity}: {}: {}{times}", finding.rule, finding.message)];
    for (number, access) in [Some(&finding.first), finding.second.as_ref()].into_iter().flatten().enumerate()
    {
        lines.extend(access_lines(number + 1, access));
    }
    if let Some(witness) = finding.witness.as_ref().filter(|witness| !witness.story.is_empty()) {
        lines.push("  what happens:".to_owned());
        lines.extend(witness.story.lines().map(|text| format!("    {text}")));
    }
    if !finding.advice.is_empty() {
        lines.push(format!("  try: {}", finding.advice));
    }
    lines.push(format!(
        "  more: warpgrade explain {}; this schedule again: --seed {} --seeds 1",
        finding.rule, finding.seed
    ));
    lines
}

fn access_lines(number: usize, access: &AccessNote) -> Vec<String> {
    let of = if access.location.is_empty() { String::new() } else { format!(" of {}", access.location) };
    let mut lines =
        vec![format!("  ({number}) {}{of} by {}, {}", access.action, access.thread, place(&access.at))];
    if !access.at.text.is_empty() {
        lines.push(format!("      {:>5} | {}", access.at.line, access.at.text));
    }
    for (file, line) in &access.at.inlined_from {
        lines.push(format!("            called from {file}:{line}"));
    }
    lines
}

fn place(at: &SourceLine) -> String {
    if at.line == 0 { at.file.clone() } else { format!("{}:{}", at.file, at.line) }
}
