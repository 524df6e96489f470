//! Runs the command and reads its record.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// One grading's record and exit code.
pub struct Run {
    pub record: Value,
    pub exit: i32,
    pub stderr: String,
}

/// Files of a submission in a folder of its own.
pub struct Submission {
    folder: TempDir,
}

impl Submission {
    pub fn new(files: &[(&str, &str)]) -> Submission {
        let bytes: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        Submission::of_bytes(&bytes)
    }

    pub fn of_bytes(files: &[(&str, &[u8])]) -> Submission {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), bytes).expect("a written file");
        }
        Submission { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Few launches and schedules: enough to see every row, quick enough for a test.
    pub fn grade(&self, exercise: &str) -> Run {
        grade(exercise, self.path(), &["--runs", "4", "--seeds", "2"])
    }
}

pub fn grade(exercise: &str, submission: &Path, more: &[&str]) -> Run {
    let output = Command::cargo_bin("warpgrade")
        .expect("the binary")
        .arg("grade")
        .arg(exercise)
        .arg(submission)
        .args(["--format", "json", "--device", "embedded", "--audience", "staff"])
        .args(more)
        .output()
        .expect("a finished process");
    let stdout = String::from_utf8_lossy(&output.stdout);
    Run {
        record: serde_json::from_str(&stdout).unwrap_or(Value::Null),
        exit: output.status.code().unwrap_or(-1),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A file of an exercise.
pub fn exercise_file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("exercises").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Run {
    pub fn configuration(&self, name: &str) -> &Value {
        let all = self.record["configurations"].as_array().expect("configurations");
        all.iter()
            .find(|c| c["name"] == name)
            .unwrap_or_else(|| panic!("no configuration {name}: {}", self.record))
    }

    /// The rows of a kernel in a configuration.
    pub fn rows(&self, configuration: &str, kernel: &str) -> Vec<&Value> {
        let rows = self.configuration(configuration)["rows"].as_array().expect("rows");
        rows.iter().filter(|row| row["kernel"] == kernel).collect()
    }

    pub fn wrong(&self, configuration: &str, kernel: &str) -> Vec<u64> {
        self.rows(configuration, kernel).iter().map(|row| row["wrong"].as_u64().expect("a count")).collect()
    }

    /// `defined`, or the rules of its errors.
    pub fn verdict(&self, configuration: &str, kernel: &str) -> Vec<String> {
        let verdicts = self.configuration(configuration)["verdicts"].as_array().expect("verdicts");
        let verdict = verdicts.iter().find(|v| v["kernel"] == kernel).expect("a verdict");
        if verdict["verdict"] != "undefined" {
            return vec![verdict["verdict"].as_str().expect("a word").to_owned()];
        }
        let findings = verdict["findings"].as_array().expect("findings");
        let errors = findings.iter().filter(|f| f["severity"] != "note");
        errors.map(|f| f["rule"].as_str().expect("a rule").to_owned()).collect()
    }

    pub fn notices(&self) -> Vec<&str> {
        let notices = self.record["notices"].as_array().expect("notices");
        notices.iter().filter_map(|n| n["kind"].as_str()).collect()
    }

    pub fn edited_regions(&self) -> Vec<&str> {
        let edits = self.record["edits"].as_array().expect("edits");
        edits.iter().filter_map(|e| e["region"].as_str()).collect()
    }
}

/// Replaces a piece of text that must be there, the `nth` time it occurs (0 is the first).
pub fn replace(text: &str, old: &str, new: &str, nth: usize) -> String {
    let at = text
        .match_indices(old)
        .nth(nth)
        .unwrap_or_else(|| panic!("`{old}` is not there {} times", nth + 1))
        .0;
    format!("{}{new}{}", &text[..at], &text[at + old.len()..])
}
