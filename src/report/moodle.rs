//! What Moodle takes back: the grading worksheet, and an archive of feedback files.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

use super::cells::{cell, grade, table};
use super::class::{ClassEntry, Member, ordered};
use super::error::ReportError;
use super::gathered::gathered;
use super::inert::{inert, one_line};
use super::page::headline;

const COLUMNS: [&str; 11] = [
    "Identifier",
    "Full name",
    "Email address",
    "Status",
    "Group",
    "Grade",
    "Maximum Grade",
    "Grade can be changed",
    "Last modified (submission)",
    "Last modified (grade)",
    "Feedback comments",
];

/// The grading worksheet: UTF-8, comma, one row a participant, `Participant <id>` as Moodle knows them.
///
/// A fault of ours leaves the grade empty: Moodle then keeps what it has.
///
/// # Errors
/// When a row cannot be written, which is a defect of ours.
pub fn moodle_worksheet(entries: &[ClassEntry]) -> Result<String, ReportError> {
    let mut rows = vec![COLUMNS.map(str::to_owned).to_vec()];
    for entry in ordered(entries) {
        let graded = inert(&super::audience::audience(&entry.graded, super::audience::Audience::Student))?;
        let said = format!("{} {}", headline(&graded, &gathered(&graded)).replace('`', ""), graded.message);
        let nobody =
            entry.members.is_empty().then(|| Member { name: entry.key.clone(), ..Member::default() });
        for member in entry.members.iter().chain(&nobody) {
            rows.push(vec![
                cell(&member.id.as_ref().map(|id| format!("Participant {id}")).unwrap_or_default()),
                cell(&member.name),
                cell(member.email.as_deref().unwrap_or_default()),
                if entry.late { "Submitted for grading - late" } else { "Submitted for grading" }.to_owned(),
                cell(entry.group.as_deref().unwrap_or_default()),
                grade(entry.points()),
                grade(graded.score.as_ref().map(|score| score.max)),
                "Yes".to_owned(),
                cell(entry.submitted.as_deref().unwrap_or("-")).replace("'-", "-"),
                "-".to_owned(),
                cell(said.trim()),
            ]);
        }
    }
    table(rows)
}

/// The feedback archive: `<folder of the download>/<file>` for every entry, with the files that `files` gives.
///
/// # Errors
/// What `files` fails with, or a failure to write the archive.
pub fn moodle_feedback(
    entries: &[ClassEntry],
    mut files: impl FnMut(&ClassEntry) -> Result<Vec<(String, Vec<u8>)>, ReportError>,
) -> Result<Vec<u8>, ReportError> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for entry in ordered(entries) {
        let folder = folder(entry);
        for (name, bytes) in files(entry)? {
            archive.start_file(format!("{folder}/{}", safe(&name)), SimpleFileOptions::default())?;
            archive.write_all(&bytes)?;
        }
    }
    Ok(archive.finish()?.into_inner())
}

/// The download's own folder, or the one that Moodle would have given: `<Full name>_<participant>_assignsubmission_file`.
fn folder(entry: &ClassEntry) -> String {
    if let Some(folder) = &entry.folder {
        return safe(folder);
    }
    let member = entry.members.first();
    let name = member.map_or(entry.key.as_str(), |member| member.name.as_str());
    let id = member.and_then(|member| member.id.as_deref()).unwrap_or(&entry.key);
    safe(&format!("{name}_{id}_assignsubmission_file"))
}

/// One path component: no separators, no dots alone, nothing active.
fn safe(name: &str) -> String {
    let name = one_line(name).replace(['/', '\\', ':', '\0'], "_");
    if name.trim_matches('.').is_empty() { "_".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_folder_is_one_component() {
        assert_eq!(super::safe("../../etc"), ".._.._etc");
        assert_eq!(super::safe(".."), "_");
    }
}
