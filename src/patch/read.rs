//! A submission's programs as edits of the template.

use crate::exercise::{Exercise, Region, RegionKind};
use crate::record::EditNote;
use crate::submission::{SourceFile, Submission};

use super::carry::{self, Wanting};
use super::conditional::Reach;
use super::find::{self, Aside, Found, Place};
use super::items::{ItemKind, Source};
use super::lex::Lexed;
use super::model::{Part, Patched, RegionEdit};
use super::recognise::View;
use super::signature;
use super::snippet::{self, Marked};
use super::splice;
use super::template::{self, Template};
use super::{text, value};

/// Reads the programs of a submission as edits of the exercise's template. Never fails: what cannot be used is
/// `unusable` with a notice.
pub fn read_edits(exercise: &Exercise, submission: &Submission) -> Vec<Patched> {
    read_edits_among(exercise, &[], submission)
}

/// [`read_edits`], with the other exercises of the catalogue, so that a program for one of them is told as such.
pub fn read_edits_among(exercise: &Exercise, others: &[Exercise], submission: &Submission) -> Vec<Patched> {
    let template = Template::new(exercise);
    let mut all: Vec<Patched> = Vec::new();
    for program in &submission.programs {
        all.push(read_program(&template, others, program));
    }
    all
}

/// One program.
fn read_program(template: &Template, others: &[Exercise], file: &SourceFile) -> Patched {
    let mut out = Patched { file: file.name.clone(), text: file.text.clone(), ..Patched::default() };
    let defines = template::defines(template.exercise);
    let source = Source::new(&file.text, &defines);
    let snippets = snippet::marked(&source);
    let reader = Reader { template, source: &source, snippets: &snippets };
    let mut wanting = Vec::new();
    let mut values: Vec<(String, Option<i64>)> = Vec::new();
    let mut missing: Vec<(&Region, Option<u32>)> = Vec::new();
    for (index, region) in template.exercise.regions.iter().enumerate() {
        if template.places[index].is_none() {
            continue;
        }
        match find::find(&source, &snippets, region) {
            Found::One(place, asides) => {
                reader.asides(region, &asides, &mut out);
                if let Some(edit) = reader.edit(region, &place, &mut out) {
                    wanting.push((
                        template.places[index].as_ref().map_or(0, |p| p.start),
                        Wanting { region: region.id.clone(), start: place.start, end: place.end },
                    ));
                    if edit.part == Part::Initialiser {
                        let value = reader.value(&place).and_then(|value| i64::try_from(value).ok());
                        values.push((region.id.clone(), value));
                    }
                    out.edits.push(edit);
                }
            }
            Found::Twice(lines) => {
                let shown: Vec<String> = lines.iter().map(u32::to_string).collect();
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
    if out.edits.is_empty() && !out.unusable {
        reader.nothing(others, &mut out);
        return out;
    }
    reader.missing(&missing, &mut out);
    reader.stray(&mut out);
    wanting.sort_by_key(|(at, _)| *at);
    let wanting: Vec<Wanting> = wanting.into_iter().map(|(_, want)| want).collect();
    carry::renames(template, &source, &mut out);
    carry::carry(template, &source, &wanting, &mut out);
    if !out.unusable && !splice::template_survives(template.exercise, &out.edits) {
        let message = "The regions of this file, put into the exercise's program, would change the program around them. \
                       Look for braces, quotes or comments that do not close."
            .to_owned();
        out.notice("region-does-not-close", 0, message);
        out.unusable = true;
    }
    if !out.unusable {
        out.configuration = template.exercise.recognise(&View::new(template, &out.edits, &values));
    }
    out
}

struct Reader<'r, 't> {
    template: &'r Template<'r>,
    source: &'r Source<'t>,
    snippets: &'r [Marked],
}

impl Reader<'_, '_> {
    fn asides(&self, region: &Region, asides: &[Aside], out: &mut Patched) {
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
                        "Another definition of {} is compiled only when a macro is set that the build does not set; it plays \
                         no part.",
                        region.title
                    );
                    out.notice("conditional-definition", *line, message);
                }
            }
        }
    }

    /// The edit of a region that was found; `None`, with a notice, when it cannot be used.
    fn edit(&self, region: &Region, place: &Place, out: &mut Patched) -> Option<RegionEdit> {
        let line = self.source.lexed.line(place.start);
        if !place.closed {
            let text = &self.source.lexed.text[place.start..place.end];
            let (at, why) = text::breaks_out(text, false).unwrap_or((1, "it does not end".to_owned()));
            let message =
                format!("{} does not close: {why} (line {}).", capitalised(&region.title), line + at - 1);
            out.notice("region-does-not-close", line + at - 1, message);
            out.unusable = true;
            return None;
        }
        let part = match &region.kind {
            RegionKind::Kernel { .. } | RegionKind::Function { .. } => {
                self.check_signature(region, place, out)?;
                Part::Definition
            }
            RegionKind::Constant { min, max, name } => {
                if let Some(value) =
                    self.value(place).filter(|v| *v < i128::from(*min) || *v > i128::from(*max))
                {
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
            out.notice(kind, line, message);
        }
        if let Some((at, why)) = text::breaks_out(&taken.text, part != Part::Definition) {
            let message =
                format!("{} does not close: {why} (line {}).", capitalised(&region.title), line + at - 1);
            out.notice("region-does-not-close", line + at - 1, message);
            out.unusable = true;
            return None;
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
        let index = self.template.region(&region.id).map(|(index, _)| index)?;
        let ours = self.template.places[index].as_ref()?;
        let own = words_between(&self.template.source, ours.start, ours.end);
        let theirs = words_between(self.source, place.start, place.end);
        let changed = match part {
            Part::Initialiser => {
                own != theirs && self.value(place) != value::of_place(&self.template.source, ours)
            }
            _ => own != theirs,
        };
        if changed {
            let summary =
                match (&region.kind, self.value(place), value::of_place(&self.template.source, ours)) {
                    (RegionKind::Constant { name, .. }, Some(now), Some(was)) => {
                        format!("{name}: {was} -> {now}")
                    }
                    (RegionKind::Constant { name, .. }, ..) => format!("{name}: another value"),
                    _ => format!("{} changed", region.title),
                };
            let last_line = self.source.lexed.last_line(place.start, place.end);
            out.notes.push(EditNote {
                region: region.id.clone(),
                file: out.file.clone(),
                line,
                last_line,
                summary,
            });
        }
        Some(RegionEdit {
            region: region.id.clone(),
            file: out.file.clone(),
            line,
            text: taken.text,
            changed,
            part,
        })
    }

    fn value(&self, place: &Place) -> Option<i128> {
        value::of_place(self.source, place)
    }

    fn check_signature(&self, region: &Region, place: &Place, out: &mut Patched) -> Option<()> {
        let ours = self.template.place(&region.id)?;
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
            text::one_line(
                &source.lexed.text[source.lexed.tokens[first].start..source.lexed.tokens[last].end],
            )
        };
        let message = format!(
            "The signature of {} is changed. Expected `{}`; found `{}`. The grader launches it with the exercise's arguments: \
             put the signature back.",
            region.title,
            shown(&self.template.source, own_item.first, own.params.1),
            shown(self.source, item.first, theirs.params.1)
        );
        out.notice("signature-changed", self.source.line(item), message);
        out.unusable = true;
        None
    }

    fn missing(&self, missing: &[(&Region, Option<u32>)], out: &mut Patched) {
        let mut constants = Vec::new();
        for (region, dead) in missing {
            match (&region.kind, dead) {
                (RegionKind::Kernel { .. } | RegionKind::Function { .. }, Some(line)) => {
                    let message = format!(
                        "{} is missing: the one on line {line} is never compiled. The exercise's own is used.",
                        capitalised(&region.title)
                    );
                    out.notice("region-missing", *line, message);
                }
                (RegionKind::Kernel { .. } | RegionKind::Function { .. }, None) => {
                    let message = format!(
                        "{} is not in this file. The exercise's own is used.",
                        capitalised(&region.title)
                    );
                    out.notice("region-missing", 0, message);
                }
                (RegionKind::Constant { name, .. }, _) => constants.push(name.as_str()),
                // Markers are a convenience: the kernel around them counts.
                (RegionKind::Snippet { .. }, _) => {}
            }
        }
        let _ = constants;
    }

    fn stray(&self, out: &mut Patched) {
        if let Some(at) = self.source.stray.first() {
            let line = self.source.lexed.line(*at);
            let message = format!(
                "The `}}` on line {line} closes nothing: a brace before it is missing or one is too many."
            );
            out.notice("region-does-not-close", line, message);
            out.unusable = true;
        }
    }

    /// No region in the whole file.
    fn nothing(&self, others: &[Exercise], out: &mut Patched) {
        out.unusable = true;
        let _ = self.snippets;
        let other = others.iter().filter(|other| other.id != self.template.exercise.id).find(|other| {
            other.rows.iter().any(|row| self.source.items.iter().any(|item| item.name == row.kernel))
        });
        if let Some(other) = other {
            let message = format!(
                "This looks like `{}` ({}): it has that exercise's kernels, and none of `{}`.",
                other.id, other.title, self.template.exercise.id
            );
            return out.notice("other-exercise", 0, message);
        }
        let mut kernels: Vec<&str> =
            self.template.exercise.rows.iter().map(|row| row.kernel.as_str()).collect();
        kernels.dedup();
        let dead = self.template.exercise.rows.iter().any(|row| {
            self.source
                .lexed
                .tokens
                .iter()
                .zip(&self.source.reach)
                .any(|(t, r)| *r == Reach::Inactive && t.text == row.kernel)
        });
        let why = if dead { " What there is of them is never compiled (look at its `#if`)." } else { "" };
        let message =
            format!("None of the exercise's kernels is in this file. Expected: {}.{why}", kernels.join(", "));
        out.notice("no-region", 0, message);
    }
}

fn words_between(source: &Source, start: usize, end: usize) -> Vec<String> {
    find::tokens_between(source, start, end)
        .map_or_else(Vec::new, |(first, last)| find::words(source, first, last))
}

/// A sentence's first letter as a capital.
fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
