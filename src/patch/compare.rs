//! A region's text against the template's: edited or not, and what the edit is.

use std::collections::{HashMap, HashSet};

use super::conditional::Reach;
use super::describe::{self, Description};
use super::find::Place;
use super::items::{ItemKind, Source};
use super::lex::TokenKind;
use super::marks::{self, Class, Mark};
use super::template::Template;
use super::wording::{self, Word};

/// What a comparison needs to know of the student's file.
pub(super) struct Wording<'w, 't> {
    pub template: &'w Template<'w>,
    pub source: &'w Source<'t>,
    /// Names that are no locals.
    fixed: HashSet<String>,
    /// The student's own macros and helpers with a fence, a barrier or an atomic in them.
    helpers: HashMap<String, (Class, String)>,
    /// The file is worded as the course's program is, not as the template: spelling does not count.
    pub foreign: bool,
}

/// Kernels shorter than this, in words, look alike in every wording.
const TELLING: usize = 60;

impl<'w, 't> Wording<'w, 't> {
    /// `functions` are the places of the same function in the template and in the student's file.
    pub fn new(template: &'w Template<'w>, source: &'w Source<'t>, functions: &[(&Place, &Place)]) -> Self {
        let mut fixed = template.declared.clone();
        fixed.extend(source.items.iter().map(|item| item.name.clone()));
        for item in &source.items {
            if let ItemKind::Constant(declarators) = &item.kind {
                fixed.extend(declarators.iter().map(|d| d.name.clone()));
            }
        }
        let helpers = helpers(template, source);
        let mut wording = Wording { template, source, fixed, helpers, foreign: false };
        wording.foreign = wording.is_foreign(functions);
        wording
    }

    /// A file with a host part is ours when it declares most of what the template's host part declares. One without is
    /// foreign when a function says the same as the template's in other words.
    fn is_foreign(&self, functions: &[(&Place, &Place)]) -> bool {
        let names = |source: &Source| -> HashSet<String> {
            let declares = |kind: &ItemKind| {
                matches!(kind, ItemKind::Function(f) if !f.global && !f.device) || *kind == ItemKind::Type
            };
            source
                .items
                .iter()
                .filter(|i| declares(&i.kind) && !i.name.is_empty())
                .map(|i| i.name.clone())
                .collect()
        };
        let (ours, theirs) = (names(&self.template.source), names(self.source));
        if theirs.contains("main") {
            return ours.intersection(&theirs).count() * 2 < ours.len();
        }
        functions.iter().any(|(ours, theirs)| {
            let (a, b) = self.pair(ours, theirs);
            a.len() > TELLING && !wording::same(&a, &b) && wording::alike(&a, &b)
        })
    }

    /// The words of both texts, with theirs called as ours.
    fn pair(&self, ours: &Place, theirs: &Place) -> (Vec<Word>, Vec<Word>) {
        let a = wording::words(&self.template.source, ours.start, ours.end);
        let b = wording::words(self.source, theirs.start, theirs.end);
        let b = wording::renamed(&a, &b, &self.fixed);
        (a, b)
    }

    /// Whether a region is edited, and how; `snippet` texts have no function around them.
    pub fn compare(&self, ours: &Place, theirs: &Place, snippet: bool) -> Option<Description> {
        let (a, b) = self.pair(ours, theirs);
        if wording::same(&a, &b) || (self.foreign && wording::alike(&a, &b)) {
            return None;
        }
        let own = marks_of(&self.template.source, ours, snippet, &HashMap::new());
        let own_marks = own.as_slice();
        let their_marks = marks_of(self.source, theirs, snippet, &self.helpers);
        let mut description = describe::describe(
            own_marks,
            &their_marks,
            &wording::statements(&a),
            &wording::statements(&b),
            self.foreign,
        );
        if description.line == 0 {
            description.line = self.source.lexed.line(theirs.start);
            description.last_line = description.line;
        }
        Some(description)
    }
}

fn marks_of(
    source: &Source,
    place: &Place,
    snippet: bool,
    helpers: &HashMap<String, (Class, String)>,
) -> Vec<Mark> {
    let first = source.lexed.line(place.start);
    let mut marks = marks::marks(&source.lexed.text[place.start..place.end], snippet, helpers);
    for mark in &mut marks {
        mark.line += first - 1;
    }
    marks
}

fn helpers(template: &Template, source: &Source) -> HashMap<String, (Class, String)> {
    let own: Vec<_> = source
        .items
        .iter()
        .filter(|item| item.reach != Reach::Inactive && !template.declared.contains(&item.name))
        .filter(|item| match &item.kind {
            ItemKind::Function(function) => !function.global,
            ItemKind::Define { .. } => true,
            _ => false,
        })
        .collect();
    let mut found: HashMap<String, (Class, String)> = HashMap::new();
    // A macro that calls a helper that has the fence: a few rounds are as deep as anyone goes.
    for _ in 0..4 {
        for item in &own {
            let tokens = source.tokens(item);
            let inner = match tokens[0].kind {
                TokenKind::Directive(index) => source.lexed.directives[index].tokens.as_slice(),
                _ => tokens,
            };
            let named = inner.iter().filter(|t| t.text != item.name.as_str()).filter_map(|t| {
                match marks::class_of(&t.text, false) {
                    Some(class) => Some((class, t.text.to_string())),
                    None => found.get(t.text.as_ref()).cloned(),
                }
            });
            // A fence or a barrier in it says more than an atomic.
            if let Some(best) = named.min_by_key(|(class, _)| *class == Class::Atomic) {
                found.insert(item.name.clone(), best);
            }
        }
    }
    found
}
