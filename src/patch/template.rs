//! The exercise's template as the patch room sees it: its items, its regions' places, the names that are its own.

use std::collections::{HashMap, HashSet};

use crate::exercise::{Exercise, Region, RegionKind};

use super::conditional::Reach;
use super::find::{self, Found, Place};
use super::items::{ItemKind, Source};
use super::lex::TokenKind;
use super::snippet::{self, Marked};

/// The template, taken apart.
pub(super) struct Template<'e> {
    pub exercise: &'e Exercise,
    pub source: Source<'e>,
    pub snippets: Vec<Marked>,
    /// Place of each of the exercise's regions, in the exercise's order.
    pub places: Vec<Option<Place>>,
    /// Names declared at file scope in the part that NVRTC sees.
    pub declared: HashSet<String>,
    /// Every word of the part that NVRTC sees.
    pub words: HashSet<String>,
    /// Places of the initialisers of its constants.
    constants: HashMap<String, Place>,
}

impl<'e> Template<'e> {
    pub fn new(exercise: &'e Exercise) -> Self {
        let defines = defines(exercise);
        let source = Source::new(&exercise.template.text, &defines);
        let snippets = snippet::marked(&source);
        let places = exercise
            .regions
            .iter()
            .map(|region| match find::find(&source, &snippets, region) {
                Found::One(place, _) => Some(place),
                _ => None,
            })
            .collect();
        let mut declared = HashSet::new();
        for item in source.items.iter().filter(|item| !is_host(item.reach)) {
            match &item.kind {
                ItemKind::Constant(declarators) => {
                    declared.extend(declarators.iter().map(|d| d.name.clone()))
                }
                ItemKind::Include | ItemKind::OtherDirective => {}
                _ => {
                    declared.insert(item.name.clone());
                }
            }
        }
        declared.remove("");
        let mut words = HashSet::new();
        for (token, reach) in source.lexed.tokens.iter().zip(&source.reach) {
            if token.kind == TokenKind::Word && !is_host(*reach) {
                words.insert(token.text.to_string());
            }
        }
        let constants = constants(&source, &declared);
        Template { exercise, source, snippets, places, declared, words, constants }
    }

    pub fn region(&self, id: &str) -> Option<(usize, &'e Region)> {
        self.exercise.regions.iter().enumerate().find(|(_, region)| region.id == id)
    }

    pub fn place(&self, id: &str) -> Option<&Place> {
        self.places[self.region(id)?.0].as_ref()
    }

    /// The whole-kernel region that a snippet's lines stand in, where the exercise has one.
    pub fn kernel_region_around(&self, label: &str) -> Option<&'e Region> {
        let marked = self.snippets.iter().find(|m| m.label == label)?;
        let item = find::item_around(&self.source, marked.start, marked.end)?;
        let name = &self.source.items[item].name;
        self.exercise.regions.iter().find(|region| match &region.kind {
            RegionKind::Kernel { name: kernel } | RegionKind::Function { name: kernel } => kernel == name,
            _ => false,
        })
    }

    /// The place of the initialiser of a constant of the part that NVRTC sees.
    pub fn constant_place(&self, name: &str) -> Option<Place> {
        self.constants.get(name).cloned()
    }
}

/// The places of the constants among these names.
fn constants(source: &Source, names: &HashSet<String>) -> HashMap<String, Place> {
    let mut places = HashMap::new();
    for name in names {
        let kind = RegionKind::Constant { name: name.clone(), min: i64::MIN, max: i64::MAX };
        let region = Region { id: name.clone(), kind, title: String::new() };
        if let Found::One(place, _) = find::find(source, &[], &region) {
            places.insert(name.clone(), place);
        }
    }
    places
}

/// Under `#ifndef __CUDACC_RTC__`: for `nvcc` alone.
fn is_host(reach: Reach) -> bool {
    reach == Reach::Depends { by_default: true } || reach == Reach::Inactive
}

/// Macros that the exercise's rows define.
pub(super) fn defines(exercise: &Exercise) -> Vec<String> {
    exercise.rows.iter().flat_map(|row| row.defines.iter().map(|(name, _)| name.clone())).collect()
}
