//! `rubric.toml` as it is written, before its names are checked. `docs/authors.md` explains every key.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::LatePolicy;

/// The version of the file's layout that this grader reads.
pub const FORMAT: i64 = 1;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RubricFile {
    pub format: Spanned<i64>,
    pub late: Option<Spanned<LatePolicy>>,
    #[serde(default)]
    pub exercises: BTreeMap<String, Spanned<ExerciseTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExerciseTable {
    pub points: Spanned<f64>,
    pub late: Option<Spanned<LatePolicy>>,
    pub criteria: Vec<Spanned<CriterionTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CriterionTable {
    pub id: Spanned<String>,
    pub title: String,
    pub points: Spanned<f64>,
    pub kind: KindName,
    pub configuration: Option<String>,
    pub kernel: Option<String>,
    pub kernels: Option<Vec<String>>,
    pub rule: Option<String>,
    pub question: Option<String>,
    pub questions: Option<Vec<String>>,
    #[serde(default)]
    pub provisional: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KindName {
    Gate,
    Hidden,
    Verdict,
    Rule,
    NoErrors,
    Edit,
    Answers,
    Sentence,
    Manual,
}

impl KindName {
    /// The keys that the kind takes besides `id`, `title`, `points`, `provisional`.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            KindName::Gate | KindName::Verdict => &["configuration", "kernel"],
            KindName::Hidden => &["kernels"],
            KindName::Rule => &["configuration", "kernel", "rule"],
            KindName::NoErrors => &["configuration", "kernels"],
            KindName::Edit => &["configuration"],
            KindName::Answers => &["questions"],
            KindName::Sentence => &["question"],
            KindName::Manual => &[],
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            KindName::Gate => "gate",
            KindName::Hidden => "hidden",
            KindName::Verdict => "verdict",
            KindName::Rule => "rule",
            KindName::NoErrors => "no-errors",
            KindName::Edit => "edit",
            KindName::Answers => "answers",
            KindName::Sentence => "sentence",
            KindName::Manual => "manual",
        }
    }
}
