//! Every kernel under `tests/model/` gets its verdict, its rule and its line from `warpgrade check`.
//!
//! The head of each file says what it expects; `tests/model/README.md` explains the few words used there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::prelude::*;
use serde_json::Value;

/// What the head of a kernel's file asks for.
#[derive(Debug, Default)]
struct Case {
    arguments: Vec<String>,
    defined: bool,
    /// Any of these must be found at a marked line.
    rules: Vec<String>,
    note: Option<String>,
    /// Whether errors of other rules are allowed.
    others: bool,
    marked: BTreeSet<u64>,
}

fn read_case(file: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let mut case = Case::default();
    let mut expected = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_end().ends_with("//! race") || line.trim_end().ends_with("//! note") {
            case.marked.insert(index as u64 + 1);
        }
        if let Some(arguments) = line.strip_prefix("// check: ") {
            case.arguments = vec![file.display().to_string()];
            case.arguments.extend(arguments.split_whitespace().map(str::to_owned));
        } else if let Some(plan) = line.strip_prefix("// plan: ") {
            case.arguments = vec![file.with_file_name(plan.trim()).display().to_string()];
        } else if let Some(words) = line.strip_prefix("// expect: ") {
            expected = true;
            for word in words.split_whitespace() {
                match word {
                    "defined" => case.defined = true,
                    "undefined" => case.defined = false,
                    "*" => case.others = true,
                    _ => match word.strip_prefix("note:") {
                        Some(note) => case.note = Some(note.to_owned()),
                        None => case.rules.extend(word.split('|').map(str::to_owned)),
                    },
                }
            }
        }
    }
    match (case.arguments.is_empty(), expected) {
        (false, true) => Ok(case),
        _ => Err("the head needs `// check:` (or `// plan:`) and `// expect:`".to_owned()),
    }
}

/// Whether one of the finding's sides stands at a marked line.
fn at_marked_line(finding: &Value, case: &Case) -> bool {
    ["first", "second"]
        .iter()
        .any(|side| finding[side]["at"]["line"].as_u64().is_some_and(|line| case.marked.contains(&line)))
}

fn check(file: &Path) -> Result<(), String> {
    let case = read_case(file)?;
    let output = Command::new(env!("CARGO_BIN_EXE_warpgrade"))
        .arg("check")
        .args(&case.arguments)
        .args(["--format", "json"])
        .output()
        .map_err(|e| e.to_string())?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let shown = |why: &str| {
        format!(
            "{why}\n    stdout: {}\n    stderr: {}",
            stdout.trim(),
            String::from_utf8_lossy(&output.stderr).trim()
        )
    };
    let result: Value = serde_json::from_str(&stdout).map_err(|e| shown(&format!("no JSON: {e}")))?;
    let verdicts = result["verdicts"].as_array().ok_or_else(|| shown("no `verdicts`"))?;
    let findings: Vec<&Value> = verdicts.iter().filter_map(|v| v["findings"].as_array()).flatten().collect();
    let expected_exit = if case.defined { 0 } else { 1 };
    if output.status.code() != Some(expected_exit) {
        return Err(shown(&format!("exit {:?}, expected {expected_exit}", output.status.code())));
    }
    let (notes, errors): (Vec<&Value>, Vec<&Value>) =
        findings.into_iter().partition(|f| f["severity"] == "note");
    if case.defined {
        if let Some(error) = errors.first() {
            return Err(shown(&format!("a false alarm: {}", error["rule"])));
        }
    } else {
        let right = |f: &&Value| case.rules.iter().any(|rule| f["rule"] == rule.as_str());
        if !errors.iter().any(|f| right(f) && at_marked_line(f, &case)) {
            return Err(shown(&format!("no {:?} at lines {:?}", case.rules, case.marked)));
        }
        if !case.others
            && let Some(other) = errors.iter().find(|f| !right(f))
        {
            return Err(shown(&format!("another rule besides: {}", other["rule"])));
        }
    }
    if let Some(note) = &case.note
        && !notes.iter().any(|f| f["rule"] == note.as_str() && at_marked_line(f, &case))
    {
        return Err(shown(&format!("no note {note} at lines {:?}", case.marked)));
    }
    Ok(())
}

fn kernels(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/model").join(folder);
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(root)
        .into_iter()
        .filter_map(Result::ok)
        .map(|entry| entry.into_path())
        .filter(|path| path.extension().is_some_and(|e| e == "cu"))
        .collect();
    files.sort();
    files
}

fn all_give_their_verdict(folder: &str, at_least: usize) {
    let files = kernels(folder);
    assert!(files.len() >= at_least, "only {} kernels under {folder}", files.len());
    let failures: Vec<String> = files
        .par_iter()
        .filter_map(|file| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            check(file).err().map(|why| format!("{folder}/{name}: {why}"))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} kernels failed:\n{}",
        failures.len(),
        files.len(),
        failures.join("\n")
    );
}

#[test]
fn defined_kernels_raise_no_alarm() {
    all_give_their_verdict("defined", 60);
}

#[test]
fn undefined_kernels_are_found_and_explained() {
    all_give_their_verdict("undefined", 80);
}
