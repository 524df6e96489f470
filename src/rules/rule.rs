//! What every rule's file gives: a page, a test for findings, and the words for one.

use super::case::Case;
use super::page::Page;

/// One misconception.
pub(super) struct Rule {
    pub page: Page,
    /// Whether a finding is of this kind. Rules are asked in the catalogue's order; the first that says yes has it.
    pub matches: fn(&Case) -> bool,
    pub say: fn(&Case) -> Words,
}

/// A finding in a student's words.
pub(super) struct Words {
    /// One sentence, naming variable and lines.
    pub message: String,
    /// What to try, without the solution.
    pub advice: String,
}

impl Words {
    pub fn new(message: impl Into<String>, advice: impl Into<String>) -> Words {
        Words { message: message.into(), advice: advice.into() }
    }
}
