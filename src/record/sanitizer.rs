//! What NVIDIA's compute-sanitizer said of the same programs, beside our findings.

use serde::{Deserialize, Serialize};

/// All tools over all programs of a submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SanitizerRecord {
    /// The tool's version: `2025.3.1.0`.
    pub version: String,
    /// The card that it ran on.
    pub device: String,
    pub tools: Vec<ToolRecord>,
    /// Findings of either side, by kernel and line: agreements and differences.
    pub lines: Vec<ComparedLine>,
}

/// One of its tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolRecord {
    /// `racecheck`, `synccheck`, `memcheck`, `initcheck`.
    pub tool: String,
    /// `believed`, `canary-missed` (it did not report a bug that was put before it, so that its silence says nothing),
    /// `timed-out`, `failed`.
    pub state: String,
    /// For `failed`: why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Different findings.
    pub findings: u32,
    pub seconds: f64,
}

/// A place where at least one side finds something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedLine {
    pub kernel: String,
    pub file: String,
    pub line: u32,
    /// Our rules there.
    pub ours: Vec<String>,
    /// The tools that report it, with what they say: `racecheck (error): Race reported between …`.
    pub theirs: Vec<String>,
}
