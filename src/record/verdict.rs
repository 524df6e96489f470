//! What the checker says of one kernel.

use serde::{Deserialize, Serialize};

/// The memory model's answer for one kernel in one configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelVerdict {
    /// The kernel's C++ name.
    pub kernel: String,
    pub verdict: Verdict,
    /// Why, when `unknown`; in a student's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where, when `unknown` and known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SourceLine>,
    /// Errors first, then notes.
    pub findings: Vec<Finding>,
    /// How many schedules (seeds) were fully checked.
    pub schedules: u32,
    /// Launch geometries that the verdict covers, in words: `1024 x 256`.
    #[serde(default)]
    pub launches: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No schedule that was checked shows undefined behaviour.
    Defined,
    /// At least one finding is an error.
    Undefined,
    /// Something was not modelled, or the run did not finish.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Undefined behaviour: across warps, blocks, or by one thread alone.
    Error,
    /// Undefined as well, but only between lanes of one warp (racecheck calls these warnings).
    WithinWarp,
    /// Shown and explained; never costs points and never makes a kernel undefined.
    Note,
}

/// One violation: all its occurrences at the same pair of lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The misconception, e.g. `fence-after-announcement`; `warpgrade explain RULE` has its page.
    pub rule: String,
    pub severity: Severity,
    /// One sentence in a student's words, naming variable and lines.
    pub message: String,
    /// The access (or barrier) found second. Its partner, where there is one, follows in `second`.
    pub first: AccessNote,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<AccessNote>,
    /// What to try, without giving the solution away.
    pub advice: String,
    /// Times seen, over all checked schedules.
    pub count: u64,
    /// The schedule that shows it: `--seed` replays it.
    pub seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
}

/// One side of a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccessNote {
    /// `write`, `read`, `atomic`, `barrier`, `fence`, `loop`.
    pub action: String,
    /// `partials[17]`, `tile[3]`, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub location: String,
    /// `global`, `shared`, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub space: String,
    /// `block 3, thread 0`.
    pub thread: String,
    pub at: SourceLine,
}

/// A place in the student's own file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceLine {
    /// The file's name as handed in; `template` for a line that the student did not write.
    pub file: String,
    /// 1-based; 0 when unknown.
    pub line: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub column: u32,
    /// The line's text, trimmed, when known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Call sites through which this line was inlined, innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inlined_from: Vec<(String, u32)>,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// The shortest story that shows a finding: lanes (blocks, warps or threads) and what each did, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// `block 3`, `warp 0`, `thread 5`: one a column of the timeline.
    pub lanes: Vec<String>,
    /// In order of time.
    pub steps: Vec<WitnessStep>,
    pub edges: Vec<WitnessEdge>,
    /// The story in words, for the terminal and for a screen reader.
    pub story: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WitnessStep {
    /// Index into [`Witness::lanes`].
    pub lane: usize,
    /// `store`, `load`, `fence`, `announce`, `observe`, `barrier`, `exit`, `atomic`.
    pub kind: String,
    /// `partials[3] = …`, `__threadfence()`.
    pub label: String,
    pub at: SourceLine,
}

/// An order between two steps: there, or missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WitnessEdge {
    /// Indices into [`Witness::steps`].
    pub from: usize,
    pub to: usize,
    /// `false`: this is the order that the program needs and lacks.
    pub present: bool,
    pub label: String,
}
