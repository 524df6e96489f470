//! Findings as SARIF 2.1.0, for editors and code scanning (OASIS, 2020).
//!
//! A result's place is its first access; both accesses stand among the related locations. The witness is a code
//! flow with one thread flow a lane, whose `executionOrder` interleaves them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::audience::audience;
use super::error::ReportError;
use super::gathered::{Gathered, Role, gathered, rule_title};
use super::inert::inert;
use super::views::Shown;
use crate::record::{AccessNote, Graded, Severity, SourceLine, Status, Witness};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: String,
    kind: &'static str,
    level: &'static str,
    message: Value,
    locations: Vec<Value>,
    related_locations: Vec<Value>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<Value>,
    properties: Value,
}

/// The findings of some submissions, each with the folder under which its files lie (empty for none).
///
/// # Errors
/// When the log cannot be written as JSON, which is a defect of ours.
pub fn sarif(submissions: &[(&str, &Graded)], shown: &Shown<'_>) -> Result<String, ReportError> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut faults: Vec<Value> = Vec::new();
    let mut version = String::new();
    for (folder, graded) in submissions {
        let graded = inert(&audience(graded, shown.audience))?;
        if let Some(grader) = graded.versions.get("warpgrade") {
            version.clone_from(grader);
        }
        if graded.status == Status::Fault {
            faults.push(json!({"level": "error", "message": {"text": text(&graded.message)}}));
        }
        outcomes.extend(gathered(&graded).iter().map(|g| outcome(folder, g)));
    }
    let mut rules: Vec<&str> = outcomes.iter().map(|outcome| outcome.rule_id.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Value> = rules.into_iter().map(|rule| rule_entry(rule, shown)).collect();
    let mut driver = json!({"name": "warpgrade", "rules": rules});
    if !version.is_empty() {
        driver["version"] = json!(version);
    }
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "invocations": [{"executionSuccessful": faults.is_empty(), "toolExecutionNotifications": faults}],
            "results": serde_json::to_value(&outcomes)?,
        }],
    });
    Ok(super::json::escaped(&serde_json::to_string_pretty(&log)?) + "\n")
}

fn rule_entry(rule: &str, shown: &Shown<'_>) -> Value {
    let mut entry = json!({"id": rule, "shortDescription": {"text": rule_title(rule)}});
    if let Some(page) = shown.rules.page(rule) {
        entry["help"] = json!({"text": page, "markdown": page});
    }
    entry
}

fn outcome(folder: &str, g: &Gathered) -> Outcome {
    let finding = &g.finding;
    let (kind, level) = match (g.role, finding.severity) {
        // Bugs that the exercise ships or asks for are not the student's failure.
        (Role::Asked | Role::Shown, _) => ("informational", "none"),
        (Role::Note, _) | (_, Severity::Note) => ("review", "none"),
        (Role::Fix, Severity::WithinWarp) => ("fail", "warning"),
        (Role::Fix, Severity::Error) => ("fail", "error"),
    };
    let accesses = (1..).zip(g.accesses());
    Outcome {
        rule_id: finding.rule.clone(),
        kind,
        level,
        message: json!({"text": text(&format!("{} {}", finding.message, finding.advice))}),
        locations: vec![location(folder, &finding.first.at, None, None)],
        related_locations: accesses
            .map(|(id, access)| location(folder, &access.at, Some(id), Some(words(id, access))))
            .collect(),
        partial_fingerprints: BTreeMap::from([("warpgrade/v1", fingerprint(g))]),
        code_flows: finding.witness.iter().filter_map(|w| code_flow(folder, w)).collect(),
        properties: json!({"kernel": g.kernel, "seed": finding.seed, "count": g.count(),
            "configurations": g.seen.iter().map(|seen| &seen.configuration).collect::<Vec<_>>()}),
    }
}

/// A message must not be empty.
fn text(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() { "(nothing said)".to_owned() } else { text.to_owned() }
}

fn words(number: i64, access: &AccessNote) -> String {
    let of = if access.location.is_empty() { String::new() } else { format!(" of {}", access.location) };
    format!("({number}) {}{of} by {}", access.action, access.thread)
}

fn location(folder: &str, at: &SourceLine, id: Option<i64>, message: Option<String>) -> Value {
    let path = if folder.is_empty() { at.file.clone() } else { format!("{folder}/{}", at.file) };
    let mut place = json!({"artifactLocation": {"uri": uri(&path)}});
    if at.line > 0 {
        place["region"] = json!({"startLine": at.line});
        if at.column > 0 {
            place["region"]["startColumn"] = json!(at.column);
        }
        if !at.text.is_empty() {
            place["region"]["snippet"] = json!({"text": at.text});
        }
    }
    let mut location = json!({"physicalLocation": place});
    if let Some(id) = id {
        location["id"] = json!(id);
    }
    if let Some(message) = message {
        location["message"] = json!({"text": message});
    }
    location
}

/// A relative reference (RFC 3986): everything but unreserved characters and `/` percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    if uri.is_empty() { "unknown".to_owned() } else { uri }
}

/// The same bug keeps its fingerprint when lines move: it is made of the rule, the kernel and the text of both lines.
fn fingerprint(g: &Gathered) -> String {
    let mut hash = blake3::Hasher::new();
    for part in [&g.finding.rule, &g.kernel] {
        hash.update(part.as_bytes()).update(&[0]);
    }
    for access in g.accesses() {
        hash.update(access.action.as_bytes()).update(&[0]).update(access.at.text.as_bytes()).update(&[0]);
    }
    hash.finalize().to_hex()[..32].to_owned()
}

fn code_flow(folder: &str, witness: &Witness) -> Option<Value> {
    let mut flows = Vec::new();
    for (lane, name) in witness.lanes.iter().enumerate() {
        let steps = (1..).zip(&witness.steps).filter(|(_, step)| step.lane == lane);
        let steps: Vec<Value> = steps
            .map(|(order, step)| {
                let label = format!("{}: {}", step.kind, step.label);
                json!({"executionOrder": order, "location": location(folder, &step.at, None, Some(label))})
            })
            .collect();
        if !steps.is_empty() {
            flows.push(json!({"message": {"text": text(name)}, "locations": steps}));
        }
    }
    (!flows.is_empty()).then(|| json!({"message": {"text": text(&witness.story)}, "threadFlows": flows}))
}

#[cfg(test)]
mod tests {
    #[test]
    fn any_name_is_a_reference() {
        assert_eq!(super::uri("a b/ü=<.cu"), "a%20b/%C3%BC%3D%3C.cu");
    }
}
