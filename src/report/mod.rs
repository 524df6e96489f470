//! Views of a record: one file a view, each made from a [`crate::record::Graded`] and nothing else.
//!
//! Every view passes through two gates first. [`audience()`] drops what a student must not see, and
//! `inert` turns control characters, terminal escapes and bidirectional controls into visible text, so
//! that no view has to remember that a file's name or a comment may be hostile.

mod audience;
mod beside;
mod canvas;
mod cells;
mod class;
mod csv;
mod dashboard;
mod error;
mod gathered;
mod gradescope;
mod html;
mod inert;
mod json;
mod junit;
mod listing;
mod markdown;
mod moodle;
mod numbers;
mod page;
mod prose;
mod rule_page;
mod sarif;
mod snippets;
mod tables;
mod terminal;

mod timeline;
mod timeline_labels;
mod views;
mod wrap;

pub use audience::{Audience, audience};
pub use canvas::canvas;
pub use class::{ClassEntry, Member};
pub use csv::csv;
pub use dashboard::dashboard;
pub use error::ReportError;
pub use gradescope::gradescope;
pub use html::html;
pub use inert::visible;
pub use json::json;
pub use junit::junit;
pub use markdown::markdown;
pub use moodle::{moodle_feedback, moodle_worksheet};
pub use sarif::sarif;
pub use terminal::{TerminalStyle, terminal};

pub use views::{RulePages, Shown};
