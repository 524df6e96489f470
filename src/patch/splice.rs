//! Edits into the pristine template.

use crate::exercise::{Exercise, Instance};

use super::TEMPLATE_NAME;
use super::items::ItemKind;
use super::lex::TokenKind;
use super::model::{Part, Program, RegionEdit};
use super::template::Template;

/// What replaces a byte range of the template.
struct Cut<'e> {
    start: usize,
    end: usize,
    with: With<'e>,
}

enum With<'e> {
    Student(&'e RegionEdit),
    /// The grader's own value of a constant.
    Value(i64),
}

/// Splices edits into the pristine template.
///
/// Each text stands between `#line` directives, so that every message names the student's file and line. An edit of a
/// snippet gives way to one of the function around it. The constants of `instance` replace the student's.
pub fn splice(exercise: &Exercise, edits: &[RegionEdit], instance: Option<&Instance>) -> Program {
    let template = Template::new(exercise);
    let mut cuts = Vec::new();
    for (name, value) in instance.iter().flat_map(|instance| &instance.constants) {
        if let Some(place) = template.constant_place(name) {
            cuts.push(Cut { start: place.start, end: place.end, with: With::Value(*value) });
        }
    }
    // Whole functions first: what lies inside them gives way.
    for inner in [false, true] {
        for edit in edits.iter().filter(|edit| matches!(edit.part, Part::Snippet { .. }) == inner) {
            if let Some((start, end)) = range(&template, edit)
                && (start == end || cuts.iter().all(|cut| end <= cut.start || cut.end <= start))
            {
                cuts.push(Cut { start, end, with: With::Student(edit) });
            }
        }
    }
    // What is carried stands before what it is carried for, in the order given.
    cuts.sort_by_key(|cut| (cut.start, cut.end));
    let text = assemble(&template, &cuts);
    Program { text, name: TEMPLATE_NAME.to_owned() }
}

/// The byte range of the template that an edit replaces.
fn range(template: &Template, edit: &RegionEdit) -> Option<(usize, usize)> {
    match &edit.part {
        Part::Definition | Part::Initialiser => {
            template.place(&edit.region).map(|place| (place.start, place.end))
        }
        Part::Snippet { label } => {
            let marked = template.snippets.iter().find(|m| m.label == *label)?;
            Some((marked.start, marked.end))
        }
        Part::Carried { before } => {
            let at = match before {
                None => 0,
                Some(region) => {
                    let place = template.place(region)?;
                    let start = place
                        .item
                        .map_or(place.start, |item| template.source.start(&template.source.items[item]));
                    template.source.lexed.line_start(start)
                }
            };
            Some((at, at))
        }
    }
}

fn assemble(template: &Template, cuts: &[Cut]) -> String {
    let text = template.source.lexed.text;
    // Without it NVRTC would name the template by a path of this machine.
    let mut out = format!("#line 1 \"{TEMPLATE_NAME}\"\n");
    let mut at = 0;
    for cut in cuts {
        if cut.start < at {
            continue;
        }
        out.push_str(&text[at..cut.start]);
        match cut.with {
            With::Value(value) => {
                out.push_str(&value.to_string());
                out.extend(std::iter::repeat_n('\n', text[cut.start..cut.end].matches('\n').count()));
            }
            With::Student(edit) => {
                end_line(&mut out);
                out.push_str(&line_directive(edit.line, &edit.file));
                out.push_str(&edit.text);
                end_line(&mut out);
                out.push_str(&line_directive(template.source.lexed.line(cut.end), TEMPLATE_NAME));
            }
        }
        at = cut.end;
    }
    out.push_str(&text[at..]);
    out
}

fn end_line(out: &mut String) {
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

fn line_directive(line: u32, file: &str) -> String {
    let mut name = String::new();
    for c in file.chars() {
        match c {
            '"' | '\\' => name.extend(['\\', c]),
            c if c.is_control() => name.push('?'),
            c => name.push(c),
        }
    }
    format!("#line {} \"{name}\"\n", line.max(1))
}

/// The program's tokens, without the `#line` directives: what a compiler is given.
pub(super) fn compiled_words(text: &str) -> Vec<String> {
    let lexed = super::lex::Lexed::new(text);
    let mut words = Vec::new();
    for token in &lexed.tokens {
        match token.kind {
            TokenKind::Directive(index) if lexed.directives[index].name == "line" => {}
            TokenKind::Directive(index) => {
                let directive = &lexed.directives[index];
                words.push(format!("#{}", directive.name));
                words.extend(directive.tokens.iter().map(|t| t.text.to_string()));
            }
            _ => words.push(token.text.to_string()),
        }
    }
    words
}

/// Whether the template's own text stands in the program unharmed: its words outside the cuts are the same words, in the
/// same order, as they would be if every edit were lexed alone.
pub(super) fn template_survives(exercise: &Exercise, edits: &[RegionEdit]) -> bool {
    let template = Template::new(exercise);
    let program = splice(exercise, edits, None);
    let mut spliced: Vec<&RegionEdit> = Vec::new();
    let mut pieces: Vec<(usize, usize, &RegionEdit)> = Vec::new();
    for edit in edits {
        if let Some((start, end)) = range(&template, edit) {
            pieces.push((start, end, edit));
        }
    }
    pieces.sort_by_key(|(start, end, _)| (*start, *end));
    let text = template.source.lexed.text;
    let (mut at, mut want) = (0, Vec::new());
    for (start, end, edit) in pieces {
        if start < at {
            continue;
        }
        want.extend(compiled_words(&text[at..start]));
        want.extend(compiled_words(&edit.text));
        spliced.push(edit);
        at = end;
    }
    want.extend(compiled_words(&text[at..]));
    let functions = |text: &str| {
        let source = super::items::Source::new(text, &super::template::defines(exercise));
        source
            .items
            .iter()
            .filter(|i| matches!(i.kind, ItemKind::Function(_)))
            .map(|i| i.name.clone())
            .collect::<Vec<_>>()
    };
    let kept: Vec<String> = functions(text);
    let now = functions(&program.text);
    let mut next = now.iter();
    compiled_words(&program.text) == want && kept.iter().all(|name| next.any(|n| n == name))
}
