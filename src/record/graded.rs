//! What one grading gave.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::sanitizer::SanitizerRecord;
use super::verdict::KernelVerdict;

/// The schema's name and number, first field of every `result.json`.
pub const SCHEMA: &str = "warpgrade.result/1";

/// The record of one submission, graded, rejected or failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Graded {
    pub schema: String,
    pub exercise: String,
    #[serde(default)]
    pub title: String,
    pub status: Status,
    /// For `rejected` and `fault`: what happened and what to do, in a few sentences. Else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Absent for a fault: our failure is nobody's zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    pub criteria: Vec<Criterion>,
    pub edits: Vec<EditNote>,
    pub ignored: Vec<IgnoredNote>,
    /// Problems with the submission that did not stop the grading: missing answers, a compile error, an odd encoding.
    #[serde(default)]
    pub notices: Vec<Notice>,
    pub configurations: Vec<ConfigurationRecord>,
    #[serde(default)]
    pub answers: Vec<AnswerRecord>,
    /// Hints that fit what went wrong, in order, without the solution.
    #[serde(default)]
    pub hints: Vec<String>,
    /// The student's files, as text, so that a report can show their lines.
    #[serde(default)]
    pub sources: Vec<SourceText>,
    #[serde(default)]
    pub inputs: Vec<InputFile>,
    /// What compute-sanitizer said of the same programs, where it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sanitizer: Option<SanitizerRecord>,
    #[serde(default)]
    pub versions: BTreeMap<String, String>,
    /// Seconds, by stage: `patch`, `compile`, `run`, `check`, `total`.
    #[serde(default)]
    pub timing: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// There is a score, which may be zero.
    Graded,
    /// Nothing in the submission could be graded; the message says why. Score 0, for a person to look at.
    Rejected,
    /// The grader failed. No score.
    Fault,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    pub points: f64,
    pub max: f64,
    /// Whether any part waits for a person's look.
    pub provisional: bool,
}

/// A line of the rubric with its points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Criterion {
    pub id: String,
    #[serde(default)]
    pub title: String,
    pub points: f64,
    pub max: f64,
    pub state: CriterionState,
    /// Why these points, in a student's words.
    pub reason: String,
    /// Rules or kernels that a reader may want to follow up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub see: Vec<String>,
    /// Ids of the questions whose answers it judges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CriterionState {
    /// Decided by the grader.
    Auto,
    /// Proposed by the grader, to be confirmed by a person.
    Provisional,
    /// Only a person can decide; 0 until then.
    Manual,
}

/// An edit found in a region.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditNote {
    pub region: String,
    pub file: String,
    /// First changed line in the student's file.
    pub line: u32,
    #[serde(default)]
    pub last_line: u32,
    /// `__threadfence() now stands below atomicAdd`, `kBlocks: 1024 -> 8192`.
    pub summary: String,
}

/// Something handed in that plays no part in the grading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IgnoredNote {
    pub file: String,
    pub line: u32,
    #[serde(default)]
    pub last_line: u32,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// Stable, for machines: `compile-error`, `signature-changed`, `missing-answers`, …
    pub kind: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    #[serde(default)]
    pub line: u32,
}

/// One program that was built from the submission and run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ConfigurationRecord {
    pub name: String,
    /// The name in words, for people: `The fence below the atomic`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What the exercise asks this configuration to show. Such a finding is the point of the
    /// experiment and not a mistake: views say so, and never list it under "to fix".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expects: Vec<ExpectedFinding>,
    /// `embedded`, or the card's name.
    pub device: String,
    /// Where the program came from: the student's file, or `template` when the grader made this edit itself.
    #[serde(default)]
    pub origin: String,
    pub rows: Vec<Row>,
    pub verdicts: Vec<KernelVerdict>,
    /// The contract's output, in its table format, with the device named.
    #[serde(default)]
    pub transcript: String,
    /// Constants as read back from the compiled program.
    #[serde(default)]
    pub constants: BTreeMap<String, String>,
    /// Whether all gated rows held.
    pub gates_held: bool,
    /// Failed gates as the contract's stderr words them.
    #[serde(default)]
    pub failures: Vec<String>,
    /// The compiler's messages, with the student's lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
    /// Hash of its kernels' PTX without lines and names of files: equal for submissions that came to the same program.
    /// Empty where nothing was compiled.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// Set for a hidden instance: staff only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// A finding that the exercise asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedFinding {
    pub kernel: String,
    pub rule: String,
}

/// What the contract prints of one kernel.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Row {
    pub kernel: String,
    /// Which table of the contract it belongs to: `sum`, `tally`, `sweep`.
    #[serde(default)]
    pub table: String,
    /// Grid and block, in words of the contract: `1024 x 256`.
    #[serde(default)]
    pub launch: String,
    /// Threads in a block.
    #[serde(default)]
    pub threads: u32,
    pub gated: bool,
    /// Launches completed.
    pub runs: u32,
    /// Launches that were asked for, when fewer were enough: the first was wrong, and each takes long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<u32>,
    /// Launches with a wrong answer.
    pub wrong: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_bad_run: Option<u32>,
    /// Mismatching elements in the first bad run (tables that count elements).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mismatches: Option<u64>,
    /// Index of the first wrong element there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_bad: Option<u64>,
    /// The value read there (or the lowest and highest count of a tally).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub want: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowest: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest: Option<String>,
    /// Why the row stopped early: out of bounds, step budget, …, in a student's words with their line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Whether the run used the adversary (stale reads): "an execution that the memory model allows".
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adversary: bool,
    /// What the kernel printed, cut.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// The row was not run again because the same program had been run before, in this configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// In the first wrong run the kernel had written nothing at all of what is compared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unwritten: bool,
}

impl Row {
    /// Why there are fewer runs than were asked for, in a student's words.
    pub fn fewer_runs(&self) -> Option<String> {
        let asked = self.asked?;
        Some(format!(
            "{} of the {asked} runs were made: the first was wrong already, and this kernel's race makes each run long",
            self.runs
        ))
    }
}

/// A message of NVRTC, at the student's line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// `error`, `warning`, `note`.
    pub level: String,
    pub file: String,
    pub line: u32,
    pub message: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// An answer to one of the exercise's questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecord {
    pub id: String,
    pub question: String,
    /// As given, cut to a page.
    pub given: String,
    /// `ok`, `missing`, `malformed`, `contradicts-transcript`.
    pub form: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceText {
    pub file: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InputFile {
    pub file: String,
    pub bytes: u64,
    pub blake3: String,
}
