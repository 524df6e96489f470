//! What criteria look at, and what they give.

use crate::exercise::Exercise;
use crate::record::{ConfigurationRecord, CriterionState, Graded, KernelVerdict, SourceLine, Status};

/// One grading with the exercise that it is about.
pub struct Case<'a> {
    pub exercise: &'a Exercise,
    pub graded: &'a Graded,
}

/// The share of a criterion's points, from 0 to 1, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    pub share: f64,
    pub state: CriterionState,
    pub reason: String,
    pub see: Vec<String>,
}

impl Judged {
    pub fn decided(share: f64, reason: impl Into<String>) -> Self {
        Judged { share, state: CriterionState::Auto, reason: reason.into(), see: Vec::new() }
    }

    /// For a person to confirm.
    pub fn waiting(share: f64, reason: impl Into<String>) -> Self {
        Judged { share, state: CriterionState::Provisional, reason: reason.into(), see: Vec::new() }
    }

    pub fn see(mut self, what: impl Into<String>) -> Self {
        self.see.push(what.into());
        self
    }
}

impl<'a> Case<'a> {
    /// The records of a configuration: one a device and a repeat. Hidden instances are not among them.
    pub fn records(&self, configuration: &str) -> Vec<&'a ConfigurationRecord> {
        let here = |record: &&ConfigurationRecord| !record.hidden && record.name == configuration;
        self.graded.configurations.iter().filter(here).collect()
    }

    pub fn hidden(&self) -> Vec<&'a ConfigurationRecord> {
        self.graded.configurations.iter().filter(|record| record.hidden).collect()
    }

    /// The checker's verdicts on a kernel in a configuration.
    pub fn verdicts(&self, configuration: &str, kernel: &str) -> Vec<&'a KernelVerdict> {
        let records = self.records(configuration).into_iter();
        records.flat_map(|record| &record.verdicts).filter(|verdict| verdict.kernel == kernel).collect()
    }

    /// A configuration in words: `as given`.
    pub fn title(&self, configuration: &str) -> &'a str {
        let known = self.exercise.configurations.iter().find(|known| known.name == configuration);
        known.map_or("this configuration", |known| known.title.as_str())
    }

    /// Why nothing ran in some records, if the student's program is the reason: the first compiler error, or the
    /// message of a rejected submission.
    pub fn students_reason(&self, records: &[&ConfigurationRecord]) -> Option<String> {
        let errors = records.iter().flat_map(|record| &record.diagnostics).filter(|d| d.level == "error");
        if let Some(error) = errors.min_by_key(|error| error.line == 0) {
            let place = match (error.file.is_empty(), error.line) {
                (true, _) => String::new(),
                (false, 0) => format!("{}: ", error.file),
                (false, line) => format!("{}, line {line}: ", error.file),
            };
            return Some(format!("The program does not compile. {place}{}", error.message));
        }
        match self.graded.status {
            Status::Rejected => Some(format!("Nothing could be graded: {}", self.graded.message)),
            _ => None,
        }
    }
}

/// `kernel.cu, line 12`, or nothing for a line that is not the student's or not known.
pub fn place(at: &SourceLine) -> Option<String> {
    (at.line > 0 && at.file != "template").then(|| format!("{}, line {}", at.file, at.line))
}

/// `a`, `a and b`, `a, b and c`.
pub fn enumerated(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
