//! Canvas: a flat folder of `<sortablename>_[LATE_]<userid>_<attachmentid>_<displayname>`.
//!
//! The name is lower-cased with all but word characters removed (Unicode letters stay). Text entries end in
//! `_text.html`, links in `_link.html`. Anonymous grading puts `anon` for the name. A file handed in again under the
//! same name carries `-1`, `-2` before its extension.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::entries::Entry;
use super::{Attempt, Ignored, Person, Student};
use crate::submission::safe_name;

/// A student's name, whether any file was late, and the files with the names they were handed in under.
type Found = (String, bool, Vec<(PathBuf, String)>);

/// A file name taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Parts<'a> {
    name: String,
    late: bool,
    user: &'a str,
    display: String,
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn parse(file: &str) -> Option<Parts<'_>> {
    let words: Vec<&str> = file.split('_').collect();
    // The first place where `[LATE_]<digits>_<digits or text.html>` follows: names may hold underscores themselves.
    for at in 0..words.len() {
        let (late, user_at) = if words[at] == "LATE" {
            (true, at + 1 + usize::from(words.get(at + 1) == Some(&"anon")))
        } else {
            (false, at)
        };
        let (Some(user), Some(next)) = (words.get(user_at), words.get(user_at + 1)) else { continue };
        if !is_number(user) {
            continue;
        }
        let name = words[..at].iter().filter(|w| **w != "anon").copied().collect::<Vec<_>>().join("_");
        let anonymous = words[..user_at].contains(&"anon");
        if name.is_empty() && !anonymous {
            continue;
        }
        let display = if is_number(next) && words.len() > user_at + 2 {
            words[user_at + 2..].join("_")
        } else if words.len() == user_at + 2 && matches!(*next, "text.html" | "link.html") {
            (*next).to_owned()
        } else {
            continue;
        };
        let name = if anonymous { format!("anonymous {user}") } else { name };
        return Some(Parts { name, late, user, display });
    }
    None
}

/// Whether most of the files are named as Canvas names them.
pub(super) fn looks_like(entries: &[Entry]) -> bool {
    let files = entries.iter().filter(|e| !e.folder).count();
    let named = entries.iter().filter(|e| !e.folder && parse(&e.name).is_some()).count();
    named > 0 && named * 2 >= files
}

/// `day27-1.cu` to (`day27.cu`, 1); a name without a suffix is resubmission 0.
fn resubmission(display: &str) -> (String, u32) {
    let (stem, extension) = match display.rfind('.') {
        Some(dot) if dot > 0 => display.split_at(dot),
        _ => (display, ""),
    };
    match stem.rsplit_once('-') {
        Some((base, number)) if is_number(number) && number.len() <= 3 && !base.is_empty() => {
            (format!("{base}{extension}"), number.parse().unwrap_or(0))
        }
        _ => (display.to_owned(), 0),
    }
}

pub(super) fn read(entries: Vec<Entry>, ignored: &mut Vec<Ignored>) -> Vec<Student> {
    let mut by_user: BTreeMap<String, Found> = BTreeMap::new();
    for entry in entries {
        let mut leave =
            |reason: &str| ignored.push(Ignored { path: safe_name(&entry.name), reason: reason.to_owned() });
        if entry.folder {
            leave("a folder; Canvas downloads hold files only");
            continue;
        }
        let Some(parts) = parse(&entry.name) else {
            leave("not named as Canvas names submissions");
            continue;
        };
        if parts.display == "link.html" {
            leave("a link that was handed in instead of a file; open it by hand");
            // The student is still in the class, so that the gradebook has a line for them.
            by_user.entry(parts.user.to_owned()).or_insert((parts.name, parts.late, Vec::new()));
            continue;
        }
        let slot = by_user.entry(parts.user.to_owned()).or_insert((parts.name, false, Vec::new()));
        slot.1 |= parts.late;
        slot.2.push((entry.path.clone(), parts.display));
    }
    by_user
        .into_iter()
        .map(|(user, (name, late, files))| {
            let person = Person { name: safe_name(&name), id: Some(user), email: None };
            let attempts = attempts(files, late);
            Student { key: String::new(), people: vec![person], group: None, feedback_folder: None, attempts }
        })
        .collect()
}

/// Splits a student's files into attempts by their `-N` suffixes. A suffix counts only where the unsuffixed file (or a
/// lower number) is there too: `day27-1.cu` alone is just a name. The newest attempt holds, for each name, the highest N.
fn attempts(files: Vec<(PathBuf, String)>, late: bool) -> Vec<Attempt> {
    let mut versions: BTreeMap<String, Vec<(u32, PathBuf, String)>> = BTreeMap::new();
    for (path, display) in files {
        let (base, number) = resubmission(&display);
        versions.entry(base).or_default().push((number, path, display));
    }
    let mut older: BTreeMap<u32, Attempt> = BTreeMap::new();
    let mut newest = Attempt { late, ..Attempt::default() };
    for mut list in versions.into_values() {
        list.sort();
        if let Some((_, path, display)) = list.pop() {
            newest.files.push(path);
            newest.names.push(display);
        }
        for (number, path, display) in list {
            let attempt = older.entry(number).or_default();
            attempt.files.push(path);
            attempt.names.push(display);
        }
    }
    let mut all: Vec<Attempt> = older.into_values().collect();
    all.push(newest);
    for (index, attempt) in all.iter_mut().enumerate() {
        attempt.number = index as u32 + 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_canvas_writes_them() {
        let parts = |file| parse(file).map(|p| (p.name, p.late, p.user.to_owned(), p.display));
        let of = |n: &str, l, u: &str, d: &str| Some((n.to_owned(), l, u.to_owned(), d.to_owned()));
        assert_eq!(parts("lovelaceada_101_2001_day27.cu"), of("lovelaceada", false, "101", "day27.cu"));
        assert_eq!(
            parts("lovelaceada_LATE_101_2001_my_file.cu"),
            of("lovelaceada", true, "101", "my_file.cu")
        );
        assert_eq!(parts("李小龙_7_8_a.zip"), of("李小龙", false, "7", "a.zip"));
        assert_eq!(parts("anon_9_10_a.cu"), of("anonymous 9", false, "9", "a.cu"));
        assert_eq!(parts("LATE_anon_9_10_a.cu"), of("anonymous 9", true, "9", "a.cu"));
        assert_eq!(parts("hopper_55_text.html"), of("hopper", false, "55", "text.html"));
        assert_eq!(parts("day27.cu"), None);
        assert_eq!(parts("my_notes_v2.txt"), None);
    }

    #[test]
    fn a_suffix_is_a_resubmission_only_beside_its_base() {
        let files =
            |names: &[&str]| names.iter().map(|n| (PathBuf::from(n), (*n).to_owned())).collect::<Vec<_>>();
        let newest = |names: &[&str]| attempts(files(names), false).last().map(|a| a.names.clone());
        assert_eq!(newest(&["day27-1.cu"]), Some(vec!["day27-1.cu".to_owned()]));
        assert_eq!(newest(&["day27.cu", "day27-1.cu", "day27-2.cu"]), Some(vec!["day27-2.cu".to_owned()]));
        let both = attempts(files(&["a.cu", "a-1.cu", "answers.toml"]), false);
        assert_eq!(both.len(), 2);
        assert_eq!(both[1].names, ["a-1.cu", "answers.toml"]);
    }
}
