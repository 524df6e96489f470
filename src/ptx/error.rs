//! Why a text is not PTX.

/// The first place where a text leaves PTX's grammar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("PTX line {line}, column {column}: found {found}, expected {expected}")]
pub struct ParseError {
    /// 1-based line in the PTX text.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
    /// What stands there, in backquotes, cut to 40 characters.
    pub found: String,
    /// What would have been right, in words.
    pub expected: String,
}
