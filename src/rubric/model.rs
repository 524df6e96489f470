//! A rubric, parsed: what is asked of a submission, and how much each part is worth.

use std::collections::BTreeMap;

use super::LatePolicy;

/// `rubric.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct Rubric {
    /// The file's name, for messages.
    pub file: String,
    /// For every exercise that has none of its own.
    pub late: Option<LatePolicy>,
    pub exercises: BTreeMap<String, ExerciseRubric>,
}

/// What one exercise is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct ExerciseRubric {
    pub exercise: String,
    /// The sum of the criteria's points.
    pub points: f64,
    pub criteria: Vec<CriterionPlan>,
    pub late: Option<LatePolicy>,
}

/// A line of the rubric.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionPlan {
    pub id: String,
    pub title: String,
    pub points: f64,
    pub kind: CriterionKind,
    /// Whether a person confirms the points in any case.
    pub provisional: bool,
    /// 1-based line of `rubric.toml`.
    pub line: u32,
}

/// What a criterion asks. Kernels are named by their row's label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CriterionKind {
    /// Every row of the kernel is exact in the configuration. In a sweep each row has its share.
    Gate { configuration: String, kernel: String },
    /// The kernels are exact on every hidden instance. Each row has its share.
    Hidden { kernels: Vec<String> },
    /// The kernel is `defined` in the configuration. Notes never cost points.
    Verdict { configuration: String, kernel: String },
    /// The checker finds the rule in the kernel, in the configuration.
    Rule { configuration: String, kernel: String, rule: String },
    /// No error in any of the kernels. Each kernel has its share.
    NoErrors { configuration: String, kernels: Vec<String> },
    /// The configuration was handed in as a program, or its count was answered.
    Edit { configuration: String },
    /// Counts of the right form, choices that are right. Each question has its share.
    Answers { questions: Vec<String> },
    /// A sentence, by the ideas that it names; always provisional.
    Sentence { question: String },
    /// For a person alone.
    Manual,
}

impl CriterionKind {
    /// Ids of the questions whose answers decide the points.
    pub fn questions(&self) -> Vec<String> {
        match self {
            CriterionKind::Answers { questions } => questions.clone(),
            CriterionKind::Sentence { question } => vec![question.clone()],
            _ => Vec::new(),
        }
    }
}
