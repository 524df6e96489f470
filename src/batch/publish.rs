//! From the store to files: a folder a student, and the class's gradebook.
//!
//! Every file is made from the store alone and written whole or not at all, so that publishing again gives the same
//! bytes, whatever was interrupted before.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::settle::{Lateness, settle};
use super::store::{Grading, ManualScore, Store, StoreError};
use super::student::Identity;
use crate::record::Graded;
use crate::report::{self, Audience, ClassEntry, Member, ReportError, Shown};
use crate::rubric::LatePolicy;

/// Why files could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a report could not be made: {0}")]
    Report(#[from] ReportError),
    #[error(
        "{path} cannot be written: the disk is full. Make room and run the same command again; nothing graded is lost."
    )]
    Full { path: PathBuf },
    #[error("{path} cannot be written: {source}")]
    Write { path: PathBuf, source: std::io::Error },
}

/// One exercise's class, settled: the newest grading of everybody with manual scores and lateness.
pub fn entries(
    store: &Store,
    exercise: &str,
    late: Option<&LatePolicy>,
) -> Result<Vec<ClassEntry>, StoreError> {
    let students: BTreeMap<String, Identity> = store.students()?.into_iter().collect();
    let manual = store.manual(exercise)?;
    let mut entries = Vec::new();
    for grading in store.current(exercise)? {
        let identity = students.get(&grading.student).cloned().unwrap_or_default();
        entries.push(entry(store, &grading, &identity, &manual, late)?);
    }
    Ok(entries)
}

fn entry(
    store: &Store,
    grading: &Grading,
    identity: &Identity,
    manual: &BTreeMap<(String, String), ManualScore>,
    late: Option<&LatePolicy>,
) -> Result<ClassEntry, StoreError> {
    let attempt = store.attempt(&grading.student, &grading.exercise, grading.number, &grading.content)?;
    let lateness = match &attempt {
        Some(attempt) if attempt.late => attempt.late_by.map_or(Lateness::Unknown, Lateness::By),
        _ => Lateness::InTime,
    };
    let own: BTreeMap<&str, &ManualScore> = manual
        .iter()
        .filter(|((student, _), _)| *student == grading.student)
        .map(|((_, criterion), score)| (criterion.as_str(), score))
        .collect();
    let settled = settle(&grading.graded, &own, late.map(|policy| (policy, lateness)));
    let members = identity.people.iter().map(|(name, id, email)| Member {
        name: name.clone(),
        id: id.clone(),
        email: email.clone(),
        ..Member::default()
    });
    let earned = settled.graded.score.as_ref().map(|score| score.points);
    let mut entry = ClassEntry::new(grading.student.clone(), settled.graded);
    if let Some(late) = settled.late {
        entry.graded.notices.push(crate::record::Notice {
            kind: "late".to_owned(),
            message: late.why,
            file: String::new(),
            line: 0,
        });
    }
    entry.program = same_program(&entry.graded);
    entry.members = members.collect();
    entry.group = identity.group.clone();
    entry.folder = identity.feedback_folder.clone();
    entry.submitted = attempt.as_ref().and_then(|a| a.handed.clone());
    entry.late = attempt.is_some_and(|a| a.late);
    entry.page = Some(format!("students/{}/report.html", grading.student));
    entry.final_points = settled.points.filter(|points| Some(*points) != earned);
    Ok(entry)
}

/// Equal for submissions that came to the same programs in all that was handed in; `None` where nothing was compiled.
fn same_program(graded: &Graded) -> Option<String> {
    let own = graded.configurations.iter().filter(|c| !c.hidden && c.origin != "template");
    let programs: Vec<&str> = own.flat_map(|c| [c.name.as_str(), c.program.as_str()]).collect();
    let whole = !programs.is_empty() && programs.iter().all(|part| !part.is_empty());
    whole.then(|| super::content::basis_hash(programs))
}

/// Writes one student's `report.html`, `report.md` and `result.json`.
pub fn student(folder: &Path, entry: &ClassEntry, shown: &Shown<'_>) -> Result<(), PublishError> {
    let folder = folder.join("students").join(&entry.key);
    write(&folder.join("report.html"), report::html(&entry.graded, shown)?.as_bytes())?;
    write(&folder.join("report.md"), report::markdown(&entry.graded, shown)?.as_bytes())?;
    write(&folder.join("result.json"), report::json(&entry.graded, Audience::Student)?.as_bytes())
}

/// Writes everybody's files and the class's own: `index.html` for staff, `grades.csv`.
pub fn class(
    folder: &Path,
    title: &str,
    entries: &[ClassEntry],
    shown: &Shown<'_>,
) -> Result<(), PublishError> {
    entries.par_iter().try_for_each(|entry| student(folder, entry, shown))?;
    write(&folder.join("index.html"), report::dashboard(entries, title)?.as_bytes())?;
    write(&folder.join("grades.csv"), report::csv(entries)?.as_bytes())
}

/// Writes a file whole or not at all, making its folder.
///
/// What a kill leaves behind is `<name>.part`, which the next writing of the file takes away: a name drawn at random would
/// stay for ever.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), PublishError> {
    let attempt = || -> std::io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        std::fs::create_dir_all(folder.unwrap_or(Path::new(".")))?;
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        // Anew, so that nothing is written through a link that lies there.
        match std::fs::remove_file(&part) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = std::fs::File::create_new(&part)?;
        let written = file.write_all(bytes).and_then(|()| std::fs::rename(&part, path));
        if written.is_err() {
            // Room for others, if the disk is full.
            let _ = std::fs::remove_file(&part);
        }
        written
    };
    attempt().map_err(|source| match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => PublishError::Full { path: path.to_owned() },
        _ => PublishError::Write { path: path.to_owned(), source },
    })
}
