//! One program as edits of the template.

use crate::exercise::{Exercise, Region, RegionKind};
use crate::record::EditNote;
use crate::submission::SourceFile;

use super::carry::{self, Wanting};
use super::compare::Wording;
use super::find::{self, Aside, Found, Place};
use super::items::{ItemKind, Source};
use super::lex::Lexed;
use super::model::{Part, Patched, RegionEdit};
use super::recognise::View;
use super::snippet;
use super::template::{self, Template};
use super::{absent, bare, letters, outside, signature, splice, text, value};

/// Reads one program. `others` are the exercises that it may be meant for instead.
pub(super) fn read(template: &Template, others: &[Exercise], file: &SourceFile) -> Patched {
    let mut out = Patched { file: file.name.clone(), text: file.text.clone(), ..Patched::default() };
    let source = Source::new(&file.text, &template::defines(template.exercise));
    letters::report(&source, &mut out);
    let snippets = snippet::marked(&source);
    let mut found: Vec<(usize, Place)> = Vec::new();
    let mut missing: Vec<(&Region, Option<u32>)> = Vec::new();
    for (index, region) in template.exercise.regions.iter().enumerate() {
        if template.places[index].is_none() {
            continue;
        }
        match find::find(&source, &snippets, region) {
            Found::One(place, told) => {
                asides(region, &told, &mut out);
                found.push((index, place));
            }
            Found::Twice(lines) => {
                let shown: Vec<String> = lines.iter().take(4).map(u32::to_string).collect();
                let message = format!(
                    "{} stands here more than once, each time different: on lines {}. Keep the one that counts.",
                    capitalised(&region.title),
                    shown.join(" and ")
                );
                out.notice("region-twice", lines[0], message);
                out.unusable = true;
            }
            Found::Missing { dead } => missing.push((region, dead)),
        }
    }
    if found.is_empty() && !out.unusable {
        match bare::find(template, &source, &file.name) {
            Some((index, place)) => {
                let label = &template.exercise.regions[index].title;
                let message = format!(
                    "These lines carry no marker; they are read as {label} (`{}`).",
                    template.exercise.regions[index].id
                );
                out.notice("snippet-assumed", 1, message);
                found.push((index, place));
            }
            None => {
                absent::nothing(template, others, &source, &mut out);
                return out;
            }
        }
    }
    let functions: Vec<(&Place, &Place)> = found
        .iter()
        .filter(|(index, _)| is_function(&template.exercise.regions[*index]))
        .filter_map(|(index, place)| Some((template.places[*index].as_ref()?, place)))
        .collect();
    let wording = Wording::new(template, &source, &functions);
    let mut reader =
        Reader { template, source: &source, wording: &wording, values: Vec::new(), wanting: Vec::new() };
    for (index, place) in &found {
        if let Some(why) = broken_markers(template, &source, *index, place, &functions) {
            let title = &template.exercise.regions[*index].title;
            let message = format!(
                "The markers of {title} do not fit together: {why}. The whole function around them is read instead."
            );
            out.notice("snippet-markers", source.lexed.line(place.start), message);
            continue;
        }
        reader.region(*index, place, &mut out);
    }
    let Reader { values, mut wanting, .. } = reader;
    absent::missing(template, &source, &missing, &mut out);
    unbalanced(&source, &mut out);
    wanting.sort_by_key(|(at, _)| *at);
    let wanting: Vec<Wanting> = wanting.into_iter().map(|(_, want)| want).collect();
    carry::renames(template, &source, &mut out);
    let carried = carry::carry(template, &source, &wanting, &mut out);
    outside::report(&wording, &found, &carried, &mut out);
    if !out.unusable && !splice::template_survives(template.exercise, &out.edits) {
        let message = "The regions of this file, put into the exercise's program, would change the program around them. \
                       Look for braces, quotes or comments that do not close."
            .to_owned();
        out.notice("region-does-not-close", 0, message);
        out.unusable = true;
    }
    if out.unusable {
        // What decides stands first.
        out.notices.sort_by_key(|n| {
            !matches!(n.kind.as_str(), "signature-changed" | "region-does-not-close" | "region-twice")
        });
    } else {
        out.configuration = template.exercise.recognise(&View::new(template, &out.edits, &values));
    }
    out
}

/// Why a snippet's markers are no use, where the function that it stands in was found whole: then nothing is lost.
fn broken_markers(
    template: &Template,
    source: &Source,
    index: usize,
    place: &Place,
    functions: &[(&Place, &Place)],
) -> Option<String> {
    let ours = template.places[index].as_ref()?;
    let RegionKind::Snippet { .. } = &template.exercise.regions[index].kind else { return None };
    let around =
        |(own, theirs): &(&Place, &Place)| theirs.closed && own.start < ours.end && ours.start < own.end;
    if !functions.iter().any(around) {
        return None;
    }
    if !place.closed {
        return Some("the end marker is missing".to_owned());
    }
    text::breaks_out(&source.lexed.text[place.start..place.end], true).map(|(_, why)| why)
}

fn is_function(region: &Region) -> bool {
    matches!(region.kind, RegionKind::Kernel { .. } | RegionKind::Function { .. })
}

fn asides(region: &Region, asides: &[Aside], out: &mut Patched) {
    for aside in asides {
        match aside {
            Aside::Again(lines) => {
                let message = format!(
                    "{} stands here twice, word for word; once is enough.",
                    capitalised(&region.title)
                );
                out.notice("region-twice", lines[0], message);
            }
            Aside::Other { line, what } => {
                let message = format!("Another definition of {}, {what}, plays no part.", region.title);
                out.notice("region-twice", *line, message);
            }
            Aside::Conditional { line } => {
                let message = format!(
                    "Another definition of {} is compiled only when a macro is set that a plain build does not set; it \
                     plays no part.",
                    region.title
                );
                out.notice("conditional-definition", *line, message);
            }
        }
    }
}

/// A closing brace too many: what stands before it is not what it seems.
fn unbalanced(source: &Source, out: &mut Patched) {
    if let Some(at) = source.stray.first() {
        let line = source.lexed.line(*at);
        let message = format!(
            "The `}}` on line {line} closes nothing: a brace before it is one too many, or one is missing."
        );
        out.notice("region-does-not-close", line, message);
        out.unusable = true;
    }
}

struct Reader<'r, 't> {
    template: &'r Template<'r>,
    source: &'r Source<'t>,
    wording: &'r Wording<'r, 't>,
    /// Constants' values by region.
    values: Vec<(String, Option<i64>)>,
    /// What may need something carried, with its place in the template.
    wanting: Vec<(usize, Wanting)>,
}

impl Reader<'_, '_> {
    /// Takes one region that was found, or says why not.
    fn region(&mut self, index: usize, place: &Place, out: &mut Patched) {
        let region = &self.template.exercise.regions[index];
        let Some(ours) = self.template.places[index].clone() else { return };
        let Some(edit) = self.edit(region, &ours, place, out) else { return };
        if edit.part == Part::Initialiser {
            let value = value::of_place(self.source, place).and_then(|value| i64::try_from(value).ok());
            self.values.push((region.id.clone(), value));
        }
        let want = Wanting { region: region.id.clone(), start: place.start, end: place.end };
        self.wanting.push((ours.start, want));
        out.edits.push(edit);
    }

    /// The edit of a region; `None`, with a notice, when it cannot be used.
    fn edit(&self, region: &Region, ours: &Place, place: &Place, out: &mut Patched) -> Option<RegionEdit> {
        let line = self.source.lexed.line(place.start);
        if !place.closed {
            return does_not_close(region, line, self.unclosed(place), out);
        }
        let part = match &region.kind {
            RegionKind::Kernel { .. } | RegionKind::Function { .. } => {
                self.check_signature(region, ours, place, out)?;
                Part::Definition
            }
            RegionKind::Constant { min, max, name } => {
                let value = value::of_place(self.source, place);
                if let Some(value) = value.filter(|v| *v < i128::from(*min) || *v > i128::from(*max)) {
                    let message = format!(
                        "`{name}` is {value} here; the exercise takes {min} to {max}. Its own value is used."
                    );
                    out.notice("constant-out-of-range", line, message);
                    return None;
                }
                Part::Initialiser
            }
            RegionKind::Snippet { label, .. } => Part::Snippet { label: label.clone() },
        };
        let item = place.item.filter(|_| part == Part::Definition);
        let taken = text::take(self.source, place.start..place.end, item, &self.template.words);
        for (kind, line, message) in taken.notices {
            // A snippet inside a function that is read too would say it again.
            if !out.notices.iter().any(|n| n.kind == kind && n.line == line && n.message == message) {
                out.notice(kind, line, message);
            }
        }
        if let Some(broken) = text::breaks_out(&taken.text, part != Part::Definition) {
            return does_not_close(region, line, broken, out);
        }
        if part == Part::Initialiser
            && Lexed::new(&taken.text).tokens.iter().any(|t| matches!(t.text.as_ref(), ";" | ","))
        {
            out.notice(
                "region-does-not-close",
                line,
                format!("{} is more than one value.", capitalised(&region.title)),
            );
            return None;
        }
        let changed = match &region.kind {
            RegionKind::Constant { name, .. } => self.constant_changed(region, name, ours, place, out),
            _ => self.text_changed(region, ours, place, &part, out),
        };
        Some(RegionEdit {
            region: region.id.clone(),
            file: out.file.clone(),
            line,
            text: taken.text,
            changed,
            part,
        })
    }

    /// Why a region that the file's end, or the next kernel, cuts short does not close: line of its text, reason.
    fn unclosed(&self, place: &Place) -> (u32, String) {
        let lexed = &self.source.lexed;
        let after = lexed.unterminated.iter().any(|u| u.at >= place.start);
        let end = if after { lexed.text.len() } else { place.end };
        let text = &lexed.text[place.start..end];
        text::breaks_out(text, false).unwrap_or((1, "it has no end".to_owned()))
    }

    fn constant_changed(
        &self,
        region: &Region,
        name: &str,
        ours: &Place,
        place: &Place,
        out: &mut Patched,
    ) -> bool {
        let (was, now) = (value::of_place(&self.template.source, ours), value::of_place(self.source, place));
        let line = self.source.lexed.line(place.start);
        let summary = match (was, now) {
            (Some(was), Some(now)) if was == now => return false,
            (Some(was), Some(now)) => format!("{name}: {was} -> {now}"),
            _ => format!("{name}: `{}`", text::one_line(&self.source.lexed.text[place.start..place.end])),
        };
        let last_line = self.source.lexed.last_line(place.start, place.end);
        out.notes.push(EditNote {
            region: region.id.clone(),
            file: out.file.clone(),
            line,
            last_line,
            summary,
        });
        true
    }

    fn text_changed(
        &self,
        region: &Region,
        ours: &Place,
        place: &Place,
        part: &Part,
        out: &mut Patched,
    ) -> bool {
        let snippet = *part != Part::Definition;
        let Some(description) = self.wording.compare(ours, place, snippet && ours.item.is_some()) else {
            return false;
        };
        // An edit is told once, by the function that it stands in.
        let told = snippet
            && out.edits.iter().filter(|edit| edit.part == Part::Definition).any(|edit| {
                self.template.place(&edit.region).is_some_and(|p| p.start < ours.end && ours.start < p.end)
            });
        if !told {
            out.notes.push(EditNote {
                region: region.id.clone(),
                file: out.file.clone(),
                line: description.line,
                last_line: description.last_line,
                summary: description.summary,
            });
        }
        true
    }

    fn check_signature(&self, region: &Region, ours: &Place, place: &Place, out: &mut Patched) -> Option<()> {
        let (own_item, item) = (&self.template.source.items[ours.item?], &self.source.items[place.item?]);
        let (ItemKind::Function(own), ItemKind::Function(theirs)) = (&own_item.kind, &item.kind) else {
            return None;
        };
        let want = signature::signature(&self.template.source, own_item, own);
        let got = signature::signature(self.source, item, theirs);
        if want == got {
            return Some(());
        }
        let shown = |source: &Source, first: usize, last: usize| {
            text::cut(
                &source.lexed.text[source.lexed.tokens[first].start..source.lexed.tokens[last].end],
                300,
            )
        };
        let message = format!(
            "The signature of {} is changed. Expected `{}`; found `{}`. It is called with the exercise's own arguments: put \
             the signature back.",
            region.title,
            shown(&self.template.source, own_item.first, own.params.1),
            shown(self.source, item.first, theirs.params.1)
        );
        out.notice("signature-changed", self.source.line(item), message);
        out.unusable = true;
        None
    }
}

fn does_not_close(
    region: &Region,
    line: u32,
    (at, why): (u32, String),
    out: &mut Patched,
) -> Option<RegionEdit> {
    let line = line + at - 1;
    let message = format!("{} does not close: {why} (line {line}).", capitalised(&region.title));
    out.notice("region-does-not-close", line, message);
    out.unusable = true;
    None
}

/// A sentence's first letter as a capital.
pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
