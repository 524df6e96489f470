//! The report as Markdown: for a pull request, an LMS comment, or a reader of plain text.

use tera::Context;

use super::error::ReportError;
use super::html::templates;
use super::page::page;
use super::views::Shown;
use crate::record::Graded;

/// The report in Markdown, for one reader. Text of the student's is escaped or stands in code, so nothing in it
/// becomes markup, a link or HTML.
///
/// # Errors
/// When the template fails to render, which is a defect of ours.
pub fn markdown(graded: &Graded, shown: &Shown<'_>) -> Result<String, ReportError> {
    let context = Context::from_serialize(&page(graded, shown)?)?;
    Ok(templates()?.render("report.md", &context)?)
}
