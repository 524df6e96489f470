//! Values of constants, where they can be told from the source alone.

use super::conditional::Reach;
use super::expression::{self, Meaning};
use super::find::Place;
use super::items::{ItemKind, Source};
use super::lex::{Lexed, TokenKind};

/// Names that stand for names that stand for names: no deeper than this.
const DEEPEST: u32 = 8;

/// The value of the expression at a place.
pub(super) fn of_place(source: &Source, place: &Place) -> Option<i128> {
    of_text(source, &source.lexed.text[place.start..place.end], 0)
}

fn of_text(source: &Source, text: &str, depth: u32) -> Option<i128> {
    expression::evaluate(&Lexed::new(text).tokens, &|name| {
        let found = (depth < DEEPEST).then(|| named(source, name)).flatten();
        match found.and_then(|text| of_text(source, text, depth + 1)) {
            Some(value) => Meaning::Value(value),
            None => Meaning::Unknown,
        }
    })
}

/// The text of the value of a constant or of a macro.
fn named<'s>(source: &'s Source, name: &str) -> Option<&'s str> {
    let tokens = &source.lexed.tokens;
    for item in source.items.iter().filter(|item| item.reach != Reach::Inactive) {
        match &item.kind {
            ItemKind::Constant(declarators) => {
                if let Some(found) = declarators.iter().find(|d| d.name == name) {
                    return Some(&source.lexed.text[tokens[found.value.0].start..tokens[found.value.1].end]);
                }
            }
            ItemKind::Define { function_like: false } if item.name == name => {
                let TokenKind::Directive(index) = tokens[item.first].kind else { continue };
                let [_, value @ ..] = source.lexed.directives[index].tokens.as_slice() else { continue };
                let (first, last) = (value.first()?, value.last()?);
                return Some(&source.lexed.text[first.start..last.end]);
            }
            _ => {}
        }
    }
    None
}
