//! Moodle: `<Full name>_<participantid>_assignsubmission_file[_]/<path>`, or the same flat with the file's name behind
//! it; online texts as `…_assignsubmission_onlinetext…`. Blind marking has "Participant" for the name. Teams:
//! `<group>_<groupid>_assignsubmission_…`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::entries::{Entry, files_under};
use super::{Attempt, Ignored, Person, Student};
use crate::submission::safe_name;

const MARK: &str = "_assignsubmission_";

pub(super) fn looks_like(name: &str) -> bool {
    parse(name).is_some()
}

struct Parts<'a> {
    name: &'a str,
    id: &'a str,
    /// `file` or `onlinetext`.
    plugin: &'a str,
    /// The file's name, in the flat form.
    file: &'a str,
    /// The folder's name as Moodle wants it back.
    folder: &'a str,
}

fn parse(entry: &str) -> Option<Parts<'_>> {
    let (person, rest) = entry.split_once(MARK)?;
    let (name, id) = person.rsplit_once('_')?;
    if id.is_empty() || !id.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let plugin = ["file", "onlinetext"].into_iter().find(|p| rest.starts_with(p))?;
    let file = rest[plugin.len()..].strip_prefix('_').unwrap_or("");
    let folder = &entry[..person.len() + MARK.len() + plugin.len()];
    Some(Parts { name, id, plugin, file, folder })
}

pub(super) fn read(entries: Vec<Entry>, ignored: &mut Vec<Ignored>) -> Vec<Student> {
    let mut by_id: BTreeMap<String, Student> = BTreeMap::new();
    for entry in entries {
        let Some(parts) = parse(&entry.name) else {
            let reason = "not named as Moodle names submissions".to_owned();
            ignored.push(Ignored { path: safe_name(&entry.name), reason });
            continue;
        };
        let files: Vec<(PathBuf, String)> = if entry.folder {
            files_under(&entry.path)
        } else {
            let shown = if parts.file.is_empty() { "onlinetext.html" } else { parts.file };
            vec![(entry.path.clone(), shown.to_owned())]
        };
        let student = by_id.entry(parts.id.to_owned()).or_insert_with(|| Student {
            key: String::new(),
            people: vec![Person { name: safe_name(parts.name), id: Some(parts.id.to_owned()), email: None }],
            group: None,
            feedback_folder: None,
            attempts: vec![Attempt { number: 1, ..Attempt::default() }],
        });
        // Feedback goes back under the folder of the handed-in files; an online text's folder is second best.
        if parts.plugin == "file" || student.feedback_folder.is_none() {
            student.feedback_folder = Some(parts.folder.to_owned());
        }
        if let Some(attempt) = student.attempts.last_mut() {
            for (path, name) in files {
                attempt.files.push(path);
                attempt.names.push(name);
            }
        }
    }
    by_id.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_moodle_writes_them() {
        let parts = |n| {
            parse(n).map(|p| (p.name.to_owned(), p.id.to_owned(), p.plugin.to_owned(), p.file.to_owned()))
        };
        let of = |n: &str, i: &str, p: &str, f: &str| {
            Some((n.to_owned(), i.to_owned(), p.to_owned(), f.to_owned()))
        };
        assert_eq!(parts("Ada Lovelace_12_assignsubmission_file"), of("Ada Lovelace", "12", "file", ""));
        assert_eq!(parts("Ada Lovelace_12_assignsubmission_file_"), of("Ada Lovelace", "12", "file", ""));
        assert_eq!(
            parts("Ada Lovelace_12_assignsubmission_file_a_b.cu"),
            of("Ada Lovelace", "12", "file", "a_b.cu")
        );
        assert_eq!(
            parts("Participant_7_assignsubmission_onlinetext"),
            of("Participant", "7", "onlinetext", "")
        );
        assert_eq!(parts("Team_Rot_3_assignsubmission_file"), of("Team_Rot", "3", "file", ""));
        assert_eq!(parts("notes.txt"), None);
    }
}
