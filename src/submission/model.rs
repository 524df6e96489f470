//! What a student handed in, decoded.

use serde::{Deserialize, Serialize};

use crate::record::{IgnoredNote, InputFile, Notice};

/// What one student handed in for one exercise, decoded. No CUDA is understood here.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Submission {
    /// CUDA sources (and notebook cells, snippets), decoded to UTF-8 with `\n` line ends, in path order.
    pub programs: Vec<SourceFile>,
    /// Unified diffs against the starter.
    pub diffs: Vec<SourceFile>,
    /// `answers.toml`, parsed leniently: question id to raw value. An id occurs once.
    pub answers: Vec<(String, toml::Value)>,
    /// Pasted program output (`.txt`, notebook output), for rows to be compared with the answers.
    pub transcripts: Vec<SourceFile>,
    /// Everything read, for the record. The hash is empty for a file that was too large to be read.
    pub inputs: Vec<InputFile>,
    /// Problems: kind, message, file, line.
    pub notices: Vec<Notice>,
    /// Files that play no part.
    pub ignored: Vec<IgnoredNote>,
}

/// A decoded text file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// As the student named it, relative to the submission, made safe to print; unique in a submission.
    pub name: String,
    pub text: String,
    /// For a notebook cell, its number as Jupyter counts them from the top, 1-based. The name says it too
    /// (`hw.ipynb[cell 3]`), and the text keeps the cell's own line numbers: a magic line is left as an empty line.
    pub cell: Option<u32>,
}
