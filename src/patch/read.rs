//! A submission's programs and diffs as edits of the template.

use crate::exercise::{Catalogue, Exercise, MadeEdit, RegionKind};
use crate::record::IgnoredNote;
use crate::submission::{SourceFile, Submission};

use super::model::{Part, Patched, RegionEdit};
use super::template::Template;
use super::{diffs, program};

/// Reads the programs of a submission as edits of the exercise's template. Never fails: what cannot be used is
/// `unusable` with a notice.
pub fn read_edits(exercise: &Exercise, submission: &Submission) -> Vec<Patched> {
    let all = read_edits_among(exercise, &[], submission);
    if !all.iter().any(|patched| patched.notices.iter().any(|n| n.kind == "no-region")) {
        return all;
    }
    // It may be meant for another exercise of the binary: only then are they looked at.
    let catalogue = Catalogue::embedded();
    let others: Vec<Exercise> = catalogue.ids().iter().filter_map(|id| catalogue.load(id).ok()).collect();
    read_edits_among(exercise, &others, submission)
}

/// [`read_edits`], with the exercises that a program may be meant for instead, so that it is told as such.
pub fn read_edits_among(exercise: &Exercise, others: &[Exercise], submission: &Submission) -> Vec<Patched> {
    let template = Template::new(exercise);
    let mut all: Vec<Patched> = Vec::new();
    for file in &submission.programs {
        all.push(program::read(&template, others, file));
    }
    for diff in &submission.diffs {
        let applied = diffs::apply(diff, &exercise.template.text);
        let mut notices = applied.notices;
        if applied.programs.is_empty() {
            let file = diff.name.clone();
            all.push(Patched {
                file,
                text: diff.text.clone(),
                notices,
                unusable: true,
                ..Patched::default()
            });
            continue;
        }
        for file in &applied.programs {
            let mut patched = program::read(&template, others, file);
            patched.notices.splice(0..0, std::mem::take(&mut notices));
            all.push(patched);
        }
    }
    pass_over_companions(&mut all);
    all
}

/// A file without a region beside others that have some (a header, a host file) is no failure: it is ignored.
fn pass_over_companions(all: &mut Vec<Patched>) {
    if !all.iter().any(|patched| !patched.edits.is_empty()) {
        return;
    }
    let is_companion = |p: &Patched| p.edits.is_empty() && p.notices.iter().any(|n| n.kind == "no-region");
    let (companions, mut rest): (Vec<Patched>, Vec<Patched>) =
        std::mem::take(all).into_iter().partition(is_companion);
    if let Some(first) = rest.first_mut() {
        first.ignored.extend(companions.into_iter().map(|p| IgnoredNote {
            file: p.file,
            line: 0,
            last_line: 0,
            reason: "none of the exercise's regions is in this file".to_owned(),
        }));
    }
    *all = rest;
}

/// The edits by which the grader makes a configuration itself: its edit file's regions, its constants' values.
///
/// Lines of an edit file are named as its own (`fence-below.cu`): no student wrote them, none can be shown one's own.
pub fn made_edits(exercise: &Exercise, edits: &[MadeEdit]) -> Vec<RegionEdit> {
    let template = Template::new(exercise);
    let mut all = Vec::new();
    for edit in edits {
        match edit {
            MadeEdit::File(file) => {
                let name = file.name.rsplit('/').next().unwrap_or(&file.name).to_owned();
                let source = SourceFile { name, text: file.text.clone(), cell: None };
                all.extend(program::read(&template, &[], &source).edits);
            }
            MadeEdit::Constant { name, value } => {
                let region = exercise.regions.iter().find(|region| {
                    matches!(&region.kind, RegionKind::Constant { name: constant, .. } if constant == name)
                });
                if let Some(region) = region {
                    all.push(RegionEdit {
                        region: region.id.clone(),
                        file: super::TEMPLATE_NAME.to_owned(),
                        line: 1,
                        text: value.to_string(),
                        changed: true,
                        part: Part::Initialiser,
                    });
                }
            }
        }
    }
    all
}

/// `edits` with `made` in place of those for the same regions.
pub fn with_made_edits(edits: &[RegionEdit], made: &[RegionEdit]) -> Vec<RegionEdit> {
    let replaced =
        |edit: &&RegionEdit| edit.region.is_empty() || made.iter().all(|m| m.region != edit.region);
    edits.iter().filter(replaced).chain(made).cloned().collect()
}
