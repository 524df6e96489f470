//! compute-sanitizer's findings set beside ours.

use crate::device::cuda::sanitizer::{Sanitizer, ToolOutcome, ToolRun};
use crate::record::{ComparedLine, Graded, SanitizerRecord, Severity, ToolRecord};

/// The table of agreements and differences. A finding of ours is met when a tool reports a place at one of its lines.
pub fn beside(graded: &Graded, sanitizer: &Sanitizer, device: &str, runs: &[ToolRun]) -> SanitizerRecord {
    let mut lines: Vec<(ComparedLine, Vec<(String, u32)>)> = Vec::new();
    let verdicts = graded.configurations.iter().filter(|c| !c.hidden).flat_map(|c| &c.verdicts);
    for (verdict, finding) in verdicts.flat_map(|v| v.findings.iter().map(move |f| (v, f))) {
        if finding.severity == Severity::Note {
            continue;
        }
        let accesses = std::iter::once(&finding.first).chain(&finding.second);
        let places: Vec<(String, u32)> = accesses.map(|a| (a.at.file.clone(), a.at.line)).collect();
        match lines.iter_mut().find(|(line, known)| line.kernel == verdict.kernel && *known == places) {
            Some((line, _)) if line.ours.contains(&finding.rule) => {}
            Some((line, _)) => line.ours.push(finding.rule.clone()),
            None => {
                let (file, line) = places[0].clone();
                let ours = vec![finding.rule.clone()];
                let line =
                    ComparedLine { kernel: verdict.kernel.clone(), file, line, ours, theirs: Vec::new() };
                lines.push((line, places));
            }
        }
    }
    for (tool, finding) in runs.iter().flat_map(|run| run.findings.iter().map(move |f| (run.tool, f))) {
        let says = format!("{tool} ({}): {}", finding.level, finding.message);
        let mut met = false;
        for (line, places) in &mut lines {
            if finding.places.iter().any(|place| places.contains(place)) {
                met = true;
                if !line.theirs.contains(&says) {
                    line.theirs.push(says.clone());
                }
            }
        }
        if !met {
            let (file, line) = finding.places.first().cloned().unwrap_or_default();
            let line = ComparedLine {
                kernel: finding.kernel.clone(),
                file,
                line,
                ours: Vec::new(),
                theirs: vec![says],
            };
            lines.push((line, finding.places.clone()));
        }
    }
    let tools = runs.iter().map(|run| {
        let (state, reason) = match &run.outcome {
            ToolOutcome::Believed => ("believed", String::new()),
            ToolOutcome::CanaryMissed => ("canary-missed", String::new()),
            ToolOutcome::TimedOut => ("timed-out", String::new()),
            ToolOutcome::Failed(reason) => ("failed", reason.clone()),
        };
        ToolRecord {
            tool: run.tool.to_owned(),
            state: state.to_owned(),
            reason,
            findings: run.findings.len() as u32,
            seconds: run.seconds,
        }
    });
    SanitizerRecord {
        version: sanitizer.version.clone(),
        device: device.to_owned(),
        tools: tools.collect(),
        lines: lines.into_iter().map(|(line, _)| line).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cuda::sanitizer::ToolFinding;
    use crate::record::{AccessNote, ConfigurationRecord, Finding, KernelVerdict, SourceLine, Verdict};

    fn at(line: u32) -> AccessNote {
        AccessNote {
            action: "write".into(),
            location: "tile[0]".into(),
            space: "shared".into(),
            thread: "block 0, thread 0".into(),
            at: SourceLine {
                file: "a.cu".into(),
                line,
                column: 0,
                text: String::new(),
                inlined_from: Vec::new(),
            },
        }
    }

    fn graded(findings: Vec<Finding>) -> Graded {
        let verdict = KernelVerdict {
            kernel: "scan".into(),
            verdict: Verdict::Undefined,
            reason: None,
            at: None,
            findings,
            schedules: 1,
            launches: Vec::new(),
        };
        let configuration = ConfigurationRecord { verdicts: vec![verdict], ..ConfigurationRecord::default() };
        Graded { configurations: vec![configuration], ..super::super::blank::blank("x", "") }
    }

    fn ours(rule: &str, first: u32, second: u32) -> Finding {
        Finding {
            rule: rule.into(),
            severity: Severity::Error,
            message: String::new(),
            first: at(first),
            second: Some(at(second)),
            advice: String::new(),
            count: 1,
            seed: 0,
            witness: None,
        }
    }

    fn theirs(tool: &'static str, line: u32) -> ToolRun {
        let finding = ToolFinding {
            level: "error".into(),
            message: "Race".into(),
            kernel: "scan".into(),
            places: vec![("a.cu".into(), line)],
            count: 1,
        };
        ToolRun { tool, outcome: ToolOutcome::Believed, findings: vec![finding], seconds: 1.0 }
    }

    #[test]
    fn agreements_and_differences_stand_in_one_table() {
        let graded = graded(vec![ours("missing-barrier", 60, 58), ours("missing-fence", 90, 91)]);
        let tool = Sanitizer { path: "x".into(), version: "1".into() };
        let record = beside(&graded, &tool, "H200", &[theirs("racecheck", 58), theirs("memcheck", 7)]);
        let rows: Vec<(u32, usize, usize)> =
            record.lines.iter().map(|l| (l.line, l.ours.len(), l.theirs.len())).collect();
        assert_eq!(rows, [(60, 1, 1), (90, 1, 0), (7, 0, 1)]);
        assert_eq!(record.lines[0].theirs, ["racecheck (error): Race"]);
    }
}
