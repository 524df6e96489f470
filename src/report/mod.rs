//! Views of a record: one file a view, each made from a [`crate::record::Graded`] and nothing else.
//!
//! Every view passes through two gates first. [`audience()`] drops what a student must not see, and
//! `inert` turns control characters, terminal escapes and bidirectional controls into visible text, so
//! that no view has to remember that a file's name or a comment may be hostile.

mod audience;
mod error;
mod gathered;
mod html;
mod inert;
mod json;
mod listing;
mod markdown;
mod numbers;
mod page;
mod prose;
mod rule_page;
mod snippets;
mod tables;
mod terminal;

mod timeline;
mod timeline_labels;
mod views;
mod wrap;

pub use audience::{Audience, audience};
pub use error::ReportError;
pub use html::html;
pub use inert::visible;
pub use json::json;
pub use markdown::markdown;
pub use terminal::{TerminalStyle, terminal};

pub use views::{RulePages, Shown};
