//! Plain and GitHub Classroom: one folder, or one file, a student.

use super::entries::{Entry, files_under, top_level};
use super::{Attempt, Ignored, Person, Student};
use crate::submission::safe_name;

/// Endings of files that can be somebody's whole submission.
const SUBMISSIONS: [&str; 14] =
    ["cu", "cuh", "cpp", "h", "hpp", "ipynb", "zip", "tar", "tgz", "gz", "diff", "patch", "txt", "toml"];

fn extension(name: &str) -> String {
    name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase()).unwrap_or_default()
}

pub(super) fn read(entries: Vec<Entry>, ignored: &mut Vec<Ignored>) -> Vec<Student> {
    let mut students = Vec::new();
    for entry in entries {
        let shown = safe_name(&entry.name);
        let (name, attempts) = if entry.folder {
            (shown, folder_attempts(&entry))
        } else if SUBMISSIONS.contains(&extension(&entry.name).as_str()) {
            let stem = shown.rsplit_once('.').map_or(shown.clone(), |(stem, _)| stem.to_owned());
            let stem = stem.strip_suffix(".tar").map_or(stem.clone(), str::to_owned);
            let attempt = Attempt {
                number: 1,
                files: vec![entry.path.clone()],
                names: vec![entry.name.clone()],
                ..Attempt::default()
            };
            (stem, vec![attempt])
        } else {
            ignored.push(Ignored { path: shown, reason: "not a kind of file that is handed in".to_owned() });
            continue;
        };
        let person = Person { name, id: None, email: None };
        students.push(Student {
            key: String::new(),
            people: vec![person],
            group: None,
            feedback_folder: None,
            attempts,
        });
    }
    students
}

/// `attempt-1`, `Attempt 2`, `submission_3` to their number.
fn attempt_number(folder: &str) -> Option<u32> {
    let lower = folder.to_ascii_lowercase();
    let rest = ["attempt", "submission", "try"].iter().find_map(|word| lower.strip_prefix(word))?;
    rest.trim_start_matches(['-', '_', ' ']).parse().ok()
}

/// A student's folder is one attempt, or holds nothing but numbered attempts.
fn folder_attempts(entry: &Entry) -> Vec<Attempt> {
    let inside = top_level(&entry.path, &mut Vec::new()).unwrap_or_default();
    let mut numbered: Vec<(u32, &Entry)> =
        inside.iter().filter(|e| e.folder).filter_map(|e| Some((attempt_number(&e.name)?, e))).collect();
    if numbered.is_empty() || numbered.len() != inside.len() {
        return vec![whole(entry, 1)];
    }
    numbered.sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(number, folder)| whole(folder, number)).collect()
}

fn whole(folder: &Entry, number: u32) -> Attempt {
    let (files, names) = files_under(&folder.path).into_iter().unzip();
    Attempt { number, files, names, ..Attempt::default() }
}

#[cfg(test)]
mod tests {
    use super::attempt_number;

    #[test]
    fn attempts_are_numbered_folders() {
        assert_eq!(attempt_number("attempt-2"), Some(2));
        assert_eq!(attempt_number("Attempt 12"), Some(12));
        assert_eq!(attempt_number("submission_3"), Some(3));
        assert_eq!(attempt_number("attempts"), None);
        assert_eq!(attempt_number("src"), None);
    }
}
