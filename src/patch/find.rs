//! Regions in a source: where each stands, once, twice or not at all.

use crate::exercise::{Region, RegionKind};

use super::conditional::Reach;
use super::items::{Item, ItemKind, Source};
use super::lex::TokenKind;
use super::snippet::Marked;

/// A region's place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Byte range of what is spliced.
    pub start: usize,
    pub end: usize,
    /// Index of the item that it is or stands in, where there is one.
    pub item: Option<usize>,
    /// `false` when it is cut short by the end of the file or by the next kernel.
    pub closed: bool,
}

/// What was found of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    One(Place, Vec<Aside>),
    /// With the line of one that is never compiled, where there is one.
    Missing {
        dead: Option<u32>,
    },
    /// Lines of definitions that differ.
    Twice(Vec<u32>),
}

/// Something to tell about a region that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Aside {
    /// The same definition again, at these lines.
    Again(Vec<u32>),
    /// Another definition that is not the kernel: in a namespace, as a specialisation.
    Other { line: u32, what: String },
    /// Another definition for when the build sets a macro.
    Conditional { line: u32 },
}

/// Finds a region in a source.
pub(super) fn find(source: &Source, snippets: &[Marked], region: &Region) -> Found {
    match &region.kind {
        RegionKind::Kernel { name } => function(source, name, true),
        RegionKind::Function { name } => function(source, name, false),
        RegionKind::Constant { name, .. } => constant(source, name),
        RegionKind::Snippet { label, .. } => snippet(source, snippets, label),
    }
}

/// Where a candidate stands, and what sets it apart from a plain definition.
struct Candidate {
    place: Place,
    line: u32,
    reach: Reach,
    apart: Option<String>,
    words: Vec<String>,
}

fn function(source: &Source, name: &str, global: bool) -> Found {
    let mut candidates = Vec::new();
    for (index, item) in source.items.iter().enumerate() {
        let ItemKind::Function(function) = &item.kind else { continue };
        if item.name != name || (global && !function.global) {
            continue;
        }
        let apart = if function.specialised {
            Some("a specialisation of a template".to_owned())
        } else if function.template {
            Some("a template".to_owned())
        } else if !item.namespaces.is_empty() {
            Some(format!("in namespace `{}`", item.namespaces.join("::")))
        } else {
            None
        };
        candidates.push(Candidate {
            place: Place {
                start: source.start(item),
                end: source.end(item),
                item: Some(index),
                closed: item.closed,
            },
            line: source.line(item),
            reach: item.reach,
            apart,
            words: words(source, item.first, item.last),
        });
    }
    choose(candidates, || dead_function(source, name, global))
}

/// The words of tokens, as they are compared: directives with all that they say.
pub(super) fn words(source: &Source, first: usize, last: usize) -> Vec<String> {
    let mut words = Vec::new();
    for token in &source.lexed.tokens[first..=last] {
        match token.kind {
            TokenKind::Directive(index) => {
                let directive = &source.lexed.directives[index];
                let mut all = format!("#{}", directive.name);
                for token in &directive.tokens {
                    all.push(' ');
                    all.push_str(&token.text);
                }
                words.push(all);
            }
            _ => words.push(token.text.to_string()),
        }
    }
    words
}

fn choose(candidates: Vec<Candidate>, dead: impl Fn() -> Option<u32>) -> Found {
    let plain = |c: &Candidate| c.apart.is_none();
    let by_default = |c: &Candidate| !matches!(c.reach, Reach::Depends { by_default: false });
    let rank = |c: &Candidate| (!by_default(c), !plain(c));
    let Some(best) = candidates.iter().map(rank).min() else { return Found::Missing { dead: dead() } };
    let (chosen, others): (Vec<&Candidate>, Vec<&Candidate>) =
        candidates.iter().partition(|c| rank(c) == best);
    let first = chosen[0];
    if chosen.iter().any(|c| c.words != first.words) {
        return Found::Twice(chosen.iter().map(|c| c.line).collect());
    }
    let mut asides = Vec::new();
    if chosen.len() > 1 {
        asides.push(Aside::Again(chosen[1..].iter().map(|c| c.line).collect()));
    }
    for other in others {
        asides.push(match &other.apart {
            _ if !by_default(other) => Aside::Conditional { line: other.line },
            Some(what) => Aside::Other { line: other.line, what: what.clone() },
            None => Aside::Again(vec![other.line]),
        });
    }
    Found::One(first.place.clone(), asides)
}

/// The line of a definition that no build compiles.
fn dead_function(source: &Source, name: &str, global: bool) -> Option<u32> {
    let tokens = &source.lexed.tokens;
    let mut seen_global = false;
    for (i, token) in tokens.iter().enumerate() {
        match token.text.as_ref() {
            "__global__" | "__device__" => seen_global = true,
            ";" | "}" => seen_global = false,
            text if text == name
                && source.reach[i] == Reach::Inactive
                && (seen_global || !global)
                && tokens.get(i + 1).is_some_and(|t| t.text == "(") =>
            {
                return Some(source.lexed.line(token.start));
            }
            _ => {}
        }
    }
    None
}

fn constant(source: &Source, name: &str) -> Found {
    let tokens = &source.lexed.tokens;
    let mut candidates = Vec::new();
    let mut push = |index: usize, item: &Item, (first, last): (usize, usize)| {
        candidates.push(Candidate {
            place: Place {
                start: tokens[first].start,
                end: tokens[last].end,
                item: Some(index),
                closed: item.closed,
            },
            line: source.lexed.line(tokens[first].start),
            reach: item.reach,
            apart: None,
            words: words(source, first, last),
        });
    };
    for (index, item) in source.items.iter().enumerate() {
        match &item.kind {
            ItemKind::Constant(declarators) => {
                for declarator in declarators.iter().filter(|d| d.name == name) {
                    push(index, item, declarator.value);
                }
            }
            ItemKind::Type => {
                if let Some(value) = enumerator(source, item, name) {
                    push(index, item, value);
                }
            }
            _ => {}
        }
    }
    // A macro of that name is a candidate too: `#define kBlocks 8192`.
    for (index, item) in source.items.iter().enumerate() {
        if item.name == name
            && item.kind == (ItemKind::Define { function_like: false })
            && let TokenKind::Directive(number) = tokens[item.first].kind
            && let [_, value @ ..] = source.lexed.directives[number].tokens.as_slice()
            && let (Some(first), Some(last)) = (value.first(), value.last())
        {
            candidates.push(Candidate {
                place: Place { start: first.start, end: last.end, item: Some(index), closed: true },
                line: source.lexed.line(first.start),
                reach: item.reach,
                apart: None,
                words: value.iter().map(|t| t.text.to_string()).collect(),
            });
        }
    }
    choose(candidates, || None)
}

/// `enum { kBlocks = 8192 };`
fn enumerator(source: &Source, item: &Item, name: &str) -> Option<(usize, usize)> {
    let tokens = &source.lexed.tokens;
    let range = item.first..=item.last;
    if !tokens[range.clone()].iter().take(3).any(|t| t.text == "enum") {
        return None;
    }
    let at = range
        .clone()
        .find(|&i| tokens[i].text == name && tokens.get(i + 1).is_some_and(|t| t.text == "="))?;
    let stop = (at + 2..=item.last).find(|&i| matches!(tokens[i].text.as_ref(), "," | "}"))?;
    (stop > at + 2).then(|| (at + 2, stop - 1))
}

fn snippet(source: &Source, snippets: &[Marked], label: &str) -> Found {
    let candidates = snippets
        .iter()
        .filter(|m| m.label == label)
        .map(|m| {
            let range = tokens_between(source, m.start, m.end);
            Candidate {
                place: Place {
                    start: m.start,
                    end: m.end,
                    item: item_around(source, m.start, m.end),
                    closed: m.closed,
                },
                line: source.lexed.line(m.start.min(source.lexed.text.len().saturating_sub(1))),
                reach: Reach::Active,
                apart: None,
                words: range.map_or_else(Vec::new, |(first, last)| words(source, first, last)),
            }
        })
        .collect();
    choose(candidates, || None)
}

/// Indices of the first and last token that lie in a byte range.
pub(super) fn tokens_between(source: &Source, start: usize, end: usize) -> Option<(usize, usize)> {
    let tokens = &source.lexed.tokens;
    let first = tokens.partition_point(|t| t.start < start);
    let after = tokens.partition_point(|t| t.end <= end);
    (after > first).then(|| (first, after - 1))
}

/// The function that a byte range stands in.
pub(super) fn item_around(source: &Source, start: usize, end: usize) -> Option<usize> {
    source.items.iter().position(|item| {
        matches!(item.kind, ItemKind::Function(_)) && source.start(item) <= start && end <= source.end(item)
    })
}
