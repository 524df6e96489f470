//! Files as handed in, read into a [`Submission`]: encodings, notebooks, archives, diffs, answers.

/// What one student handed in for one exercise, decoded. No CUDA is understood here.
#[derive(Debug, Clone, Default)]
pub struct Submission {
    /// CUDA sources (and notebook cells, snippets), decoded to UTF-8 with `\n` line ends, in path order.
    pub programs: Vec<SourceFile>,
    /// Unified diffs against the starter.
    pub diffs: Vec<SourceFile>,
    /// `answers.toml`, parsed leniently: question id to raw value.
    pub answers: Vec<(String, toml::Value)>,
    /// Pasted program output (`.txt`), for rows to be compared with the answers.
    pub transcripts: Vec<SourceFile>,
    /// Everything read, for the record.
    pub inputs: Vec<crate::record::InputFile>,
    /// Files that play no part, and problems: kind, message, file, line.
    pub notices: Vec<crate::record::Notice>,
    pub ignored: Vec<crate::record::IgnoredNote>,
}

/// A decoded text file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// As the student named it, relative to the submission, made safe to print.
    pub name: String,
    pub text: String,
    /// For a notebook cell: the cell's number and the line offset, so that messages can say `cell 3, line 12`.
    pub cell: Option<u32>,
}
