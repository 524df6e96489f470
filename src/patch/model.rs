//! What the patch room gives: edits, programs.

use crate::record::{EditNote, IgnoredNote, Notice};

/// The name that NVRTC is given for the template's own lines; never shown to a student as a file.
pub const TEMPLATE_NAME: &str = "template";

/// Notices on one program.
const MOST_NOTICES: usize = 60;

/// One handed-in program, as regions and what changed in them.
#[derive(Debug, Clone, Default)]
pub struct Patched {
    /// The student's file that it came from.
    pub file: String,
    /// That file's text as it was read: for a diff, the starter with the diff applied. Lines in notes and diagnostics
    /// are lines of this text.
    pub text: String,
    /// For [`splice`](super::splice()): the regions' texts, then what they need besides.
    pub edits: Vec<RegionEdit>,
    pub notes: Vec<EditNote>,
    pub ignored: Vec<IgnoredNote>,
    pub notices: Vec<Notice>,
    /// Index into [`Exercise::configurations`](crate::exercise::Exercise::configurations) that its edits make it, if any.
    pub configuration: Option<usize>,
    /// Set when nothing can be built from it: the notice says why.
    pub unusable: bool,
}

impl Patched {
    /// Adds a notice; of a flood, its beginning, but always what decides.
    pub(super) fn notice(&mut self, kind: &str, line: u32, message: impl Into<String>) {
        let decides = matches!(kind, "signature-changed" | "region-does-not-close" | "region-twice");
        if self.notices.len() >= if decides { 2 * MOST_NOTICES } else { MOST_NOTICES } {
            return;
        }
        self.notices.push(Notice {
            kind: kind.into(),
            message: message.into(),
            file: self.file.clone(),
            line,
        });
    }

    pub(super) fn ignore(&mut self, line: u32, last_line: u32, reason: impl Into<String>) {
        self.ignored.push(IgnoredNote { file: self.file.clone(), line, last_line, reason: reason.into() });
    }
}

/// A region's text from the student's file, or something that a region needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionEdit {
    /// The region's id; empty for [`Part::Carried`].
    pub region: String,
    pub file: String,
    /// 1-based line in the student's file where `text` begins.
    pub line: u32,
    pub text: String,
    /// Whether it differs from the template beyond comments, white space and the names of locals.
    pub changed: bool,
    pub part: Part,
}

/// Where an edit's text goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A function's whole definition, from `__global__` to the closing brace.
    Definition,
    /// A constant's initialiser, without `=` and `;`.
    Initialiser,
    /// The lines between the markers of a snippet of the template.
    Snippet { label: String },
    /// The student's own helper, macro, constant or allowed header: goes before the region named, or to the program's
    /// top when there is none.
    Carried { before: Option<String> },
}

/// A program ready to be compiled: the template with edits spliced in under `#line`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub text: String,
    /// The name NVRTC is given for the template's own lines; never shown to a student.
    pub name: String,
}
