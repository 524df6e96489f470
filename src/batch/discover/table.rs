//! The table of `batch --dry-run`: who handed in what, which attempt counts, what was left out and why.

use super::Class;
use crate::submission::safe_name;

/// Renders the table as plain text, one line a student, then one a thing left out.
pub fn dry_run_table(class: &Class) -> String {
    let mut out = format!(
        "{} layout: {} student{}, {} file{} or folder{} left out\n\n",
        class.layout,
        class.students.len(),
        plural(class.students.len()),
        class.ignored.len(),
        plural(class.ignored.len()),
        plural(class.ignored.len()),
    );
    let width = class.students.iter().map(|s| s.key.chars().count()).max().unwrap_or(0).max(7);
    out.push_str(&format!("{:width$}  {:>8}  {:>4}  files\n", "student", "attempt", "late"));
    for student in &class.students {
        let current = student.current();
        let number = current.map_or("-".to_owned(), |a| match student.attempts.len() {
            1 => format!("{}", a.number),
            all => format!("{} of {all}", a.number),
        });
        let late = current.is_some_and(|a| a.late);
        let files = current.map_or(Vec::new(), |a| a.names.iter().map(safe_name).collect());
        let files = match files.len() {
            0 => "nothing handed in".to_owned(),
            1..=4 => files.join(", "),
            all => format!("{}, … ({all} files)", files[..3].join(", ")),
        };
        let pad = width - student.key.chars().count();
        let late = if late { "late" } else { "" };
        out.push_str(&format!("{}{:pad$}  {number:>8}  {late:>4}  {files}\n", student.key, ""));
    }
    if !class.ignored.is_empty() {
        out.push_str("\nleft out\n");
        for ignored in &class.ignored {
            out.push_str(&format!("  {}: {}\n", ignored.path, ignored.reason));
        }
    }
    out
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
