//! Keys: one safe, unique folder name for each student, the same for the same download.

use std::collections::BTreeMap;

use super::Student;

/// Names that some systems do not allow for a file, whatever the extension.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Letters and digits of any script stay; everything else becomes one `-`. At most 60 characters.
fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if out.chars().count() >= 60 {
            break;
        }
    }
    let out = out.trim_end_matches('-').to_owned();
    if out.is_empty() || RESERVED.contains(&out.as_str()) {
        format!("student-{out}").trim_end_matches('-').to_owned()
    } else {
        out
    }
}

/// Gives every student a key. Two of one name are told apart by their LMS id, else by a number in order of their files.
pub(super) fn assign(students: &mut [Student]) {
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    for student in students.iter() {
        *names.entry(slug(&student.display_name())).or_default() += 1;
    }
    let mut used: BTreeMap<String, u32> = BTreeMap::new();
    for student in students {
        let name = slug(&student.display_name());
        let shared = names.get(&name).copied().unwrap_or(0) > 1;
        let key = match student.id() {
            Some(id) if shared => format!("{name}-{}", slug(id)),
            _ => name,
        };
        let seen = used.entry(key.clone()).or_default();
        *seen += 1;
        student.key = if *seen == 1 { key } else { format!("{key}-{seen}") };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Attempt, Person};

    fn student(name: &str, id: Option<&str>) -> Student {
        Student {
            key: String::new(),
            people: vec![Person { name: name.to_owned(), id: id.map(str::to_owned), email: None }],
            group: None,
            feedback_folder: None,
            attempts: vec![Attempt::default()],
        }
    }

    #[test]
    fn two_of_one_name_stay_two() {
        let mut class = [
            student("Ada L", Some("7")),
            student("Ada L", Some("8")),
            student("../etc", None),
            student("CON", None),
        ];
        assign(&mut class);
        let keys: Vec<&str> = class.iter().map(|s| s.key.as_str()).collect();
        assert_eq!(keys, ["ada-l-7", "ada-l-8", "etc", "student-con"]);
    }

    #[test]
    fn without_ids_a_number_tells_them_apart() {
        let mut class =
            [student("x", None), student("X", None), student("李", None), student("\u{202e}", None)];
        assign(&mut class);
        let keys: Vec<&str> = class.iter().map(|s| s.key.as_str()).collect();
        assert_eq!(keys, ["x", "x-2", "李", "student"]);
    }
}
