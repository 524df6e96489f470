//! A snippet handed in without its markers: nothing but the lines between them.

use std::collections::HashMap;

use crate::exercise::RegionKind;

use super::find::Place;
use super::items::{ItemKind, Source};
use super::template::Template;
use super::wording::{self, Word};

/// Words that two texts must share, of all that they have, to be taken for one another.
const ALIKE: f64 = 0.5;
/// How much better the best must be to leave the others out.
const CLEAR: f64 = 0.12;

/// The snippet region that a file without any region is, and the place of its text: the whole file.
pub(super) fn find(template: &Template, source: &Source, file: &str) -> Option<(usize, Place)> {
    let has_function = source.items.iter().any(|item| matches!(item.kind, ItemKind::Function(_)));
    let text = source.lexed.text;
    if has_function || text.len() > 100_000 {
        return None;
    }
    let theirs = wording::words(source, 0, text.len());
    if theirs.is_empty() {
        return None;
    }
    let mut candidates: Vec<(usize, f64, bool)> = Vec::new();
    for (index, region) in template.exercise.regions.iter().enumerate() {
        let (RegionKind::Snippet { label, .. }, Some(place)) = (&region.kind, &template.places[index]) else {
            continue;
        };
        if place.item.is_none() {
            continue;
        }
        let ours = wording::words(&template.source, place.start, place.end);
        let likeness = likeness(&ours, &theirs);
        if names(file, label) && likeness > 0.2 {
            return Some((index, whole(text)));
        }
        candidates.push((index, likeness, wording::same(&ours, &theirs)));
    }
    let best = candidates.iter().map(|c| c.1).fold(0.0, f64::max);
    if best < ALIKE {
        return None;
    }
    candidates.retain(|c| c.1 >= best - CLEAR);
    // What is word for word another snippet is, handed in, more likely an edit of this one.
    if candidates.iter().any(|c| !c.2) {
        candidates.retain(|c| !c.2);
    }
    candidates.sort_by(|a, b| b.1.total_cmp(&a.1));
    candidates.first().map(|c| (c.0, whole(text)))
}

fn whole(text: &str) -> Place {
    Place { start: 0, end: text.len(), item: None, closed: true }
}

/// Whether a file is named for a snippet.
fn names(file: &str, label: &str) -> bool {
    let plain = |text: &str| text.to_ascii_lowercase().replace(['-', '_', ' '], "");
    plain(file).contains(&plain(label))
}

/// Twice the words in common, by the words of both.
fn likeness(ours: &[Word], theirs: &[Word]) -> f64 {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in ours {
        *counts.entry(&word.text).or_default() += 1;
    }
    let mut common = 0;
    for word in theirs {
        if let Some(left) = counts.get_mut(word.text.as_str()).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    }
    (2 * common) as f64 / (ours.len() + theirs.len()).max(1) as f64
}
