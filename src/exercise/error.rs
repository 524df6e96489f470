//! What is wrong with an author's file, where, and what to do.

use std::fmt;
use std::ops::Range;

/// A mistake in `exercise.toml`, `rubric.toml` or a file beside them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// As a person would open it: `exercises/day27-memory-model/exercise.toml`.
    pub file: String,
    /// 1-based; 0 when the mistake is not at a line.
    pub line: u32,
    /// What is wrong, and what was expected.
    pub problem: String,
    /// What to do; may be empty.
    pub advice: String,
}

impl LoadError {
    pub fn new(
        file: impl Into<String>,
        line: u32,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        LoadError { file: file.into(), line, problem: problem.into(), advice: advice.into() }
    }

    /// A syntax or type error as the TOML reader reports it.
    pub fn from_toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map_or(0, |span| line_of(text, &span));
        let problem = error.message().trim().replace('\n', "; ");
        LoadError::new(file, line, problem, "docs/authors.md lists every key with its type")
    }
}

/// The 1-based line at which a span of `text` begins.
pub fn line_of(text: &str, span: &Range<usize>) -> u32 {
    let end = span.start.min(text.len());
    let newlines = text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count();
    u32::try_from(newlines).unwrap_or(u32::MAX).saturating_add(1)
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {}", self.problem)?;
        if !self.advice.is_empty() {
            write!(f, "; {}", self.advice)?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}
