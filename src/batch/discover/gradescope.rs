//! Gradescope: `submission_metadata.yml` and one `submission_<id>/` folder a submission.
//!
//! Keys are Ruby symbols (`:submitters:`, `:name`, `:sid`, `:email`, `:created_at`); groups list several submitters.
//! With several submissions of the same people the newest counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

use super::entries::{Entry, files_under};
use super::{Attempt, DiscoverError, Ignored, Person, Student};
use crate::batch::when::Moment;
use crate::submission::safe_name;

const METADATA: &str = "submission_metadata.yml";
/// A class's metadata is some kilobytes a student.
const METADATA_BYTES: u64 = 64 << 20;

pub(super) fn is_export(root: &Path) -> bool {
    root.join(METADATA).symlink_metadata().is_ok_and(|m| m.is_file())
}

fn metadata_error(reason: impl Into<String>) -> DiscoverError {
    DiscoverError::Metadata { path: METADATA.to_owned(), reason: reason.into() }
}

/// A value under `:key`, `key` or `:key:`, whichever the exporter wrote.
fn field<'a>(map: &'a Yaml, key: &str) -> Option<&'a Yaml> {
    let hash = map.as_hash()?;
    hash.iter().find(|(k, _)| k.as_str().is_some_and(|k| k.trim_matches(':') == key)).map(|(_, v)| v)
}

fn text(value: Option<&Yaml>) -> Option<String> {
    match value? {
        Yaml::String(s) | Yaml::Real(s) => Some(s.clone()),
        Yaml::Integer(i) => Some(i.to_string()),
        _ => None,
    }
    .filter(|s| !s.is_empty())
}

pub(super) fn read(
    root: &Path,
    entries: Vec<Entry>,
    due: Option<&str>,
    ignored: &mut Vec<Ignored>,
) -> Result<Vec<Student>, DiscoverError> {
    let path = root.join(METADATA);
    if path.symlink_metadata().is_ok_and(|m| m.len() > METADATA_BYTES) {
        return Err(metadata_error("it is far larger than a class's metadata can be"));
    }
    let yaml =
        std::fs::read_to_string(&path).map_err(|e| metadata_error(format!("it cannot be read: {e}")))?;
    let documents = YamlLoader::load_from_str(&yaml)
        .map_err(|e| metadata_error(format!("it is not YAML as Gradescope writes it: {e}")))?;
    let submissions = documents
        .first()
        .and_then(Yaml::as_hash)
        .ok_or_else(|| metadata_error("expected a list of `submission_<id>:` entries at its top level"))?;
    let due = due.and_then(Moment::parse);

    let mut folders: BTreeMap<String, PathBuf> = BTreeMap::new();
    for entry in entries {
        if entry.folder && entry.name.starts_with("submission_") {
            folders.insert(entry.name, entry.path);
        } else if entry.name != METADATA {
            let reason = "not a submission's folder".to_owned();
            ignored.push(Ignored { path: safe_name(&entry.name), reason });
        }
    }

    // The same people's submissions are attempts of one student.
    let mut by_people: BTreeMap<Vec<String>, Student> = BTreeMap::new();
    for (key, entry) in submissions {
        let Some(folder_name) = key.as_str() else { continue };
        let people: Vec<Person> = field(entry, "submitters")
            .and_then(Yaml::as_vec)
            .map(|list| list.iter().map(person).collect())
            .unwrap_or_default();
        let mut identity: Vec<String> =
            people.iter().map(|p| p.id.clone().or(p.email.clone()).unwrap_or(p.name.clone())).collect();
        if identity.is_empty() {
            identity.push(folder_name.to_owned());
        }
        identity.sort();
        let when = text(field(entry, "created_at"));
        let moment = when.as_deref().and_then(Moment::parse);
        let late_by = due.and_then(|due| moment?.seconds_after(due));
        let (files, names) = match folders.remove(folder_name) {
            Some(folder) => files_under(&folder).into_iter().unzip(),
            None => (Vec::new(), Vec::new()),
        };
        let attempt = Attempt { number: 0, when, late: late_by.is_some(), late_by, files, names };
        by_people
            .entry(identity)
            .or_insert_with(|| Student {
                key: String::new(),
                people,
                group: None,
                feedback_folder: None,
                attempts: Vec::new(),
            })
            .attempts
            .push(attempt);
    }
    for (name, _) in folders {
        let reason = format!("{METADATA} does not say whose it is");
        ignored.push(Ignored { path: safe_name(&name), reason });
    }
    let mut students: Vec<Student> = by_people.into_values().collect();
    for student in &mut students {
        student.attempts.sort_by_key(|a| a.when.as_deref().and_then(Moment::parse));
        for (index, attempt) in student.attempts.iter_mut().enumerate() {
            attempt.number = index as u32 + 1;
        }
    }
    Ok(students)
}

fn person(submitter: &Yaml) -> Person {
    Person {
        name: safe_name(text(field(submitter, "name")).unwrap_or_else(|| "no name".to_owned())),
        id: text(field(submitter, "sid")),
        email: text(field(submitter, "email")),
    }
}
