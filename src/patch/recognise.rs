//! What a patched program says when it is asked which configuration it is.

use crate::exercise::{ProgramView, RegionKind};

use super::find::Place;
use super::lex::{Lexed, TokenKind};
use super::model::{Part, RegionEdit};
use super::template::Template;
use super::value;

/// A program as its edits make it.
pub(super) struct View<'v> {
    template: &'v Template<'v>,
    /// Region ids with their texts (the student's macros written out), and whether they are edited.
    regions: Vec<(&'v str, String, bool)>,
    constants: Vec<(&'v str, Option<i64>)>,
}

impl<'v> View<'v> {
    /// `values` are the constants' values as told from the student's file, by region id.
    pub fn new(template: &'v Template<'v>, edits: &[RegionEdit], values: &[(String, Option<i64>)]) -> Self {
        let macros: Vec<(String, String)> = edits.iter().filter_map(carried_macro).collect();
        let mut regions = Vec::new();
        let mut constants = Vec::new();
        for (index, region) in template.exercise.regions.iter().enumerate() {
            let Some(place) = &template.places[index] else { continue };
            let edit = edits.iter().find(|edit| edit.region == region.id);
            let (text, edited) = match edit {
                Some(edit) => (edit.text.clone(), edit.changed),
                None => with_snippets(template, place, edits),
            };
            regions.push((region.id.as_str(), written_out(&text, &macros), edited));
            if let RegionKind::Constant { name, .. } = &region.kind {
                let value = match edit {
                    Some(_) => values.iter().find(|(id, _)| *id == region.id).and_then(|(_, value)| *value),
                    None => value::of_place(&template.source, place).and_then(|v| i64::try_from(v).ok()),
                };
                constants.push((name.as_str(), value));
            }
        }
        View { template, regions, constants }
    }
}

impl ProgramView for View<'_> {
    fn constant(&self, name: &str) -> Option<i64> {
        match self.constants.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => *value,
            None => {
                let place = self.template.constant_place(name)?;
                i64::try_from(value::of_place(&self.template.source, &place)?).ok()
            }
        }
    }

    fn edited(&self, region: &str) -> bool {
        self.regions.iter().any(|(id, _, edited)| *id == region && *edited)
    }

    fn text(&self, region: &str) -> Option<&str> {
        self.regions.iter().find(|(id, ..)| *id == region).map(|(_, text, _)| text.as_str())
    }
}

/// The template's own text of a region, with the snippets in it that were handed in alone.
fn with_snippets(template: &Template, place: &Place, edits: &[RegionEdit]) -> (String, bool) {
    let text = template.source.lexed.text;
    let mut inside: Vec<(usize, usize, &RegionEdit)> = Vec::new();
    for edit in edits {
        if let Part::Snippet { label } = &edit.part
            && let Some(marked) = template.snippets.iter().find(|m| m.label == *label)
            && place.start <= marked.start
            && marked.end <= place.end
        {
            inside.push((marked.start, marked.end, edit));
        }
    }
    inside.sort_by_key(|(start, ..)| *start);
    let (mut out, mut at) = (String::new(), place.start);
    for (start, end, edit) in &inside {
        out.push_str(&text[at..(*start).max(at)]);
        out.push_str(&edit.text);
        out.push('\n');
        at = (*end).max(at);
    }
    out.push_str(&text[at..place.end]);
    (out, inside.iter().any(|(.., edit)| edit.changed))
}

/// Name and body of a macro, or of a helper function, that goes with the regions.
fn carried_macro(edit: &RegionEdit) -> Option<(String, String)> {
    let Part::Carried { before: Some(_) } = edit.part else { return None };
    let lexed = Lexed::new(&edit.text);
    let first = lexed.tokens.first()?;
    if let TokenKind::Directive(index) = first.kind {
        let [name, body @ ..] = lexed.directives[index].tokens.as_slice() else { return None };
        let body = body.iter().map(|t| t.text.as_ref()).collect::<Vec<_>>().join(" ");
        return Some((name.text.to_string(), body));
    }
    let brace = lexed.tokens.iter().position(|t| t.text == "{")?;
    let bracket = lexed.tokens[..brace].iter().position(|t| t.text == "(")?;
    let name = lexed.tokens[bracket.checked_sub(1)?].text.to_string();
    Some((name, edit.text[lexed.tokens[brace].start..].to_owned()))
}

/// A text with its comments dropped and, behind every name of a macro or helper, what that stands for.
fn written_out(text: &str, macros: &[(String, String)]) -> String {
    let mut out = String::new();
    expand(text, macros, 0, &mut out);
    out
}

fn expand(text: &str, macros: &[(String, String)], depth: u32, out: &mut String) {
    for token in &Lexed::new(text).tokens {
        if out.len() > 1 << 20 {
            return;
        }
        match macros.iter().find(|(name, _)| *name == token.text) {
            Some((_, body)) if depth < 4 => expand(body, macros, depth + 1, out),
            _ => out.push_str(&text[token.start..token.end]),
        }
        out.push(' ');
    }
}
