//! Which handed-in program is which configuration, and how the grader makes the ones that are missing.

use std::collections::BTreeMap;

use crate::exercise::{Exercise, Instance, MadeEdit};
use crate::patch::{Patched, RegionEdit, read_edits};
use crate::record::Notice;
use crate::submission::{SourceFile, Submission};

/// One configuration's edits.
#[derive(Debug, Clone, Default)]
pub(super) struct Assigned {
    /// Index into the exercise's configurations.
    pub configuration: usize,
    /// The student's file, or `template` when nothing of it is theirs.
    pub origin: String,
    pub edits: Vec<RegionEdit>,
    /// The grader's own constants.
    pub constants: BTreeMap<String, i64>,
    /// Files of ours that the edits come from: name and text.
    pub ours: Vec<(String, String)>,
}

/// Where a program that nobody handed in comes from.
pub(super) const TEMPLATE: &str = "template";

/// Gives every configuration its program, in the exercise's order. Notices say what the grader made itself and which
/// programs are not needed.
pub(super) fn assign(exercise: &Exercise, patched: &[Patched]) -> (Vec<Assigned>, Vec<Notice>) {
    let mut notices = Vec::new();
    let mut chosen: Vec<Option<&Patched>> = vec![None; exercise.configurations.len()];
    let usable = || patched.iter().filter(|p| !p.unusable);
    for program in usable() {
        let Some(index) = program.configuration else { continue };
        match chosen.get_mut(index) {
            Some(slot @ None) => *slot = Some(program),
            Some(Some(first)) => notices.push(notice(
                "program-not-needed",
                program,
                format!(
                    "{} is the configuration \"{}\" as {} is; only {} was run",
                    program.file, exercise.configurations[index].title, first.file, first.file
                ),
            )),
            None => {}
        }
    }
    // A program that fits no description is the student's version of the first one.
    for program in usable().filter(|p| p.configuration.is_none()) {
        match chosen.first_mut() {
            Some(slot @ None) => *slot = Some(program),
            _ => notices.push(notice(
                "program-not-needed",
                program,
                format!(
                    "{} fits none of the configurations that the exercise asks for, and was not run",
                    program.file
                ),
            )),
        }
    }
    let first = chosen.first().copied().flatten();
    let assigned = (0..chosen.len())
        .map(|index| match chosen[index] {
            Some(program) => Assigned {
                configuration: index,
                origin: program.file.clone(),
                edits: program.edits.clone(),
                ..Assigned::default()
            },
            None => {
                let made = make(exercise, index, first);
                notices.push(made_notice(exercise, &made));
                made
            }
        })
        .collect();
    (assigned, notices)
}

/// Makes a configuration that nobody handed in: the exercise's own edit on the template, or on the student's first program.
fn make(exercise: &Exercise, index: usize, first: Option<&Patched>) -> Assigned {
    let configuration = &exercise.configurations[index];
    let mut made = Assigned { configuration: index, origin: TEMPLATE.to_owned(), ..Assigned::default() };
    if let Some(program) = first.filter(|_| configuration.on_students) {
        made.origin.clone_from(&program.file);
        made.edits.clone_from(&program.edits);
    }
    for edit in &configuration.edits {
        match edit {
            MadeEdit::Constant { name, value } => {
                made.constants.insert(name.clone(), *value);
            }
            MadeEdit::File(file) => {
                let name = format!("{} (made by the grader)", configuration.name);
                let source = SourceFile { name: name.clone(), text: file.text.clone(), cell: None };
                let submission = Submission { programs: vec![source], ..Submission::default() };
                for own in read_edits(exercise, &submission) {
                    let changed: Vec<RegionEdit> =
                        own.edits.into_iter().filter(|edit| edit.changed).collect();
                    made.edits.retain(|edit| changed.iter().all(|own| own.region != edit.region));
                    made.edits.extend(changed);
                }
                made.ours.push((name, file.text.clone()));
            }
        }
    }
    made
}

impl Assigned {
    /// The grader's own constants as [`splice`](crate::patch::splice) takes them, with those of a hidden instance.
    pub fn changes(&self, hidden: Option<&Instance>) -> Option<Instance> {
        let mut constants = self.constants.clone();
        if let Some(instance) = hidden {
            constants.extend(instance.constants.clone());
        }
        if constants.is_empty() {
            return None;
        }
        Some(match hidden {
            Some(instance) => Instance { constants, ..instance.clone() },
            None => Instance {
                name: "made".to_owned(),
                configurations: Vec::new(),
                constants,
                fills: BTreeMap::new(),
                runs: 1,
            },
        })
    }
}

fn made_notice(exercise: &Exercise, made: &Assigned) -> Notice {
    let configuration = &exercise.configurations[made.configuration];
    let base = if made.origin == TEMPLATE { "the exercise's own program" } else { &made.origin };
    Notice {
        kind: "configuration-made".to_owned(),
        message: format!(
            "no program of the configuration \"{}\" was handed in; the grader made it from {base}",
            configuration.title
        ),
        file: String::new(),
        line: 0,
    }
}

fn notice(kind: &str, program: &Patched, message: String) -> Notice {
    Notice { kind: kind.to_owned(), message, file: program.file.clone(), line: 0 }
}
