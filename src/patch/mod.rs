//! CUDA source to regions to edits to a patched program. tree-sitter-cuda finds, never judges.

use crate::exercise::{Exercise, Instance};
use crate::record::{EditNote, IgnoredNote, Notice};
use crate::submission::Submission;

/// One handed-in program, as regions and what changed in them.
#[derive(Debug, Clone)]
pub struct Patched {
    /// The student's file that it came from.
    pub file: String,
    pub edits: Vec<RegionEdit>,
    pub notes: Vec<EditNote>,
    pub ignored: Vec<IgnoredNote>,
    pub notices: Vec<Notice>,
    /// Index into [`Exercise::configurations`] that its edits make it, if any.
    pub configuration: Option<usize>,
    /// Set when nothing can be built from it: the notice says why.
    pub unusable: bool,
}

/// A region's text from the student's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionEdit {
    pub region: String,
    pub file: String,
    /// 1-based line in the student's file where `text` begins.
    pub line: u32,
    pub text: String,
    /// Whether it differs from the template beyond comments and white space.
    pub changed: bool,
}

/// A program ready to be compiled: the template with edits spliced in under `#line`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub text: String,
    /// The name NVRTC is given for the template's own lines; never shown to a student.
    pub name: String,
}

/// Reads the programs of a submission as edits of the exercise's template. Never fails: what cannot be used is
/// `unusable` with a notice.
pub fn read_edits(_exercise: &Exercise, _submission: &Submission) -> Vec<Patched> {
    Vec::new()
}

/// Splices edits into the pristine template. `constants` are the grader's own changes (a made configuration, a hidden
/// instance), applied after the student's.
pub fn splice(exercise: &Exercise, _edits: &[RegionEdit], _instance: Option<&Instance>) -> Program {
    Program { text: exercise.template.text.clone(), name: "template".to_owned() }
}
