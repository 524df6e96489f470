//! Findings and compiler messages over the student's own lines, as rustc shows them.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};

use super::gathered::{Gathered, Role, severity_words};
use super::page::seen;
use super::terminal::TerminalStyle;
use super::wrap::wrap;
use crate::record::{AccessNote, Diagnostic, Graded, Severity};

/// Columns that the frame of a message takes: `   = note: `.
const FRAME: usize = 14;

/// One bug: both accesses in place, the story, what to try.
pub(super) fn finding(graded: &Graded, g: &Gathered, style: TerminalStyle) -> String {
    let finding = &g.finding;
    let level = match (finding.severity, g.role) {
        (Severity::Note, _) | (_, Role::Shown | Role::Asked) => Level::NOTE,
        (Severity::WithinWarp, _) => Level::WARNING,
        (Severity::Error, _) => Level::ERROR,
    };
    let room = style.width.saturating_sub(FRAME);
    let message = |text: &str| wrap(text, room).join("\n");
    // `warning[rule]: ` stands before every line of the title.
    let title_room = style.width.saturating_sub(finding.rule.len() + 12);
    let title = level.primary_title(wrap(&finding.message, title_room).join("\n")).id(finding.rule.clone());
    let mut group = Group::with_title(title);
    for snippet in snippets(graded, &g.accesses()) {
        group = group.element(snippet);
    }
    let missing = finding.witness.iter().flat_map(|w| &w.edges).filter(|edge| !edge.present);
    for edge in missing {
        group = group.element(Level::NOTE.message(message(&format!("the missing order: {}", edge.label))));
    }
    if let Some(witness) = &finding.witness {
        group = group.element(Level::NOTE.message(message(&witness.story)));
    }
    if !finding.advice.is_empty() {
        group = group.element(Level::HELP.message(message(&finding.advice)));
    }
    let place = format!("{} in `{}`; {}", severity_words(finding.severity), g.kernel, seen(g).join("; "));
    group = group.element(Level::NOTE.message(message(&place)));
    let more = format!("`warpgrade explain {}` has more; `--seed {}` replays it", finding.rule, finding.seed);
    group = group.element(Level::HELP.message(message(&more)));
    renderer(style).render(&[group])
}

/// A compiler's message at the student's line.
pub(super) fn diagnostic(graded: &Graded, d: &Diagnostic, style: TerminalStyle) -> String {
    let level = match d.level.as_str() {
        "error" => Level::ERROR,
        "warning" => Level::WARNING,
        _ => Level::NOTE,
    };
    let title = level.primary_title(wrap(&d.message, style.width.saturating_sub(FRAME)).join("\n"));
    let mut group = Group::with_title(title);
    if let Some((text, first)) = text_of(graded, &d.file, d.line, &d.text)
        && let Some(span) = span(&text, d.line, first, 0)
    {
        let annotation = AnnotationKind::Primary.span(span);
        group = group
            .element(Snippet::source(text).path(d.file.clone()).line_start(first).annotation(annotation));
    }
    renderer(style).render(&[group])
}

fn renderer(style: TerminalStyle) -> Renderer {
    let renderer = if style.colour { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(style.width).decor_style(DecorStyle::Ascii)
}

/// One snippet a file, each access marked and numbered in it.
fn snippets(graded: &Graded, accesses: &[&AccessNote]) -> Vec<Snippet<'static, Annotation<'static>>> {
    let mut found: Vec<(String, Snippet<'static, Annotation<'static>>)> = Vec::new();
    for (index, access) in accesses.iter().enumerate() {
        let Some((text, first)) = text_of(graded, &access.at.file, access.at.line, &access.at.text) else {
            continue;
        };
        let Some(span) = span(&text, access.at.line, first, access.at.column) else { continue };
        let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let what =
            if access.location.is_empty() { String::new() } else { format!(" of {}", access.location) };
        let label = format!("({}) {}{what} by {}", index + 1, access.action, access.thread);
        let annotation = kind.span(span).label(label);
        // A file that we have is shown once with both marks; a line alone has a snippet of its own.
        let key = if first == 1 {
            access.at.file.clone()
        } else {
            format!("{}:{}", access.at.file, access.at.line)
        };
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, snippet)) => *snippet = snippet.clone().annotation(annotation),
            None => {
                let snippet = Snippet::source(text).path(access.at.file.clone()).line_start(first);
                found.push((key, snippet.annotation(annotation)));
            }
        }
    }
    found.into_iter().map(|(_, snippet)| snippet).collect()
}

/// The file's text from line 1 where it was handed in, else the one line that the record carries.
fn text_of(graded: &Graded, file: &str, line: u32, text: &str) -> Option<(String, usize)> {
    let source = graded.sources.iter().find(|source| source.file == file);
    match source {
        Some(source) if line > 0 && (line as usize) <= source.text.lines().count() => {
            // Lines far longer than any screen say nothing there, and cost much to lay out.
            let lines = source.text.lines().map(|line| line.chars().take(400).collect::<String>());
            Some((lines.collect::<Vec<_>>().join("\n"), 1))
        }
        _ if text.is_empty() => None,
        _ => Some((text.to_owned(), line.max(1) as usize)),
    }
}

/// The bytes of a line without its indentation, from `column` on where that is known.
fn span(text: &str, line: u32, first: usize, column: u32) -> Option<std::ops::Range<usize>> {
    let index = (line.max(1) as usize).checked_sub(first)?;
    let start: usize = text.split('\n').take(index).map(|line| line.len() + 1).sum();
    let line = text.split('\n').nth(index)?;
    let indent = line.len() - line.trim_start().len();
    let column = (column as usize).saturating_sub(1);
    let from =
        if column > indent && line.is_char_boundary(column) && column < line.len() { column } else { indent };
    let code = line.find("//").filter(|at| *at > from).unwrap_or(line.len());
    let to = from + line[from..code].trim_end().len();
    Some(start + from..start + to.max(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_covers_the_statement_and_not_its_comment() {
        let text = "a\n    b = c;  // d\ne";
        assert_eq!(span(text, 2, 1, 0).map(|span| &text[span]), Some("b = c;"));
        assert_eq!(span(text, 9, 1, 0), None);
    }
}
