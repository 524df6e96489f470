//! Who handed in what: Canvas, Moodle, Gradescope and plain layouts, as folders or zips of them.
//!
//! Formats as their exporters write them are described in `docs/tas.md`. Links are never followed; what is not a
//! submission is listed with the reason, so that a TA can see that nothing was lost.

mod canvas;
mod entries;
mod gradescope;
mod keys;
mod moodle;
mod plain;
mod table;
mod unpack;

use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub use table::dry_run_table;

/// The layouts that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Flat files: `<name>_[LATE_]<userid>_<attachmentid>_<file>`.
    Canvas,
    /// Folders or flat files with `_assignsubmission_`.
    Moodle,
    /// `submission_metadata.yml` beside `submission_<id>/` folders.
    Gradescope,
    /// One folder, or one file, a student.
    Plain,
}

impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Layout::Canvas => "Canvas",
            Layout::Moodle => "Moodle",
            Layout::Gradescope => "Gradescope",
            Layout::Plain => "plain folders",
        })
    }
}

/// One of the people behind a submission.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Person {
    pub name: String,
    /// The LMS's id: Canvas user, Moodle participant, Gradescope student id.
    pub id: Option<String>,
    pub email: Option<String>,
}

/// A student (or a group that hands in together).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Student {
    /// Unique in the class and safe as a folder name; stable for the same download.
    pub key: String,
    /// One person, or the members of a group.
    pub people: Vec<Person>,
    /// The group's name, where the LMS gives one.
    pub group: Option<String>,
    /// The folder name that the LMS wants feedback under (Moodle), if any.
    pub feedback_folder: Option<String>,
    /// Oldest first.
    pub attempts: Vec<Attempt>,
}

impl Student {
    /// The attempt that counts: the newest.
    pub fn current(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// What to call this student where one name is wanted.
    pub fn display_name(&self) -> String {
        match (&self.group, self.people.as_slice()) {
            (Some(group), _) => group.clone(),
            (None, []) => self.key.clone(),
            (None, people) => people.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", "),
        }
    }

    /// The LMS's id of the first person.
    pub fn id(&self) -> Option<&str> {
        self.people.first().and_then(|p| p.id.as_deref())
    }
}

/// One handing-in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attempt {
    /// `1`, `2`, … where the LMS numbers them, else the order found.
    pub number: u32,
    /// As the LMS wrote it, where it did.
    pub when: Option<String>,
    pub late: bool,
    /// Seconds after the deadline, where both times are known.
    pub late_by: Option<u64>,
    /// Files and folders that make it up.
    pub files: Vec<PathBuf>,
    /// The names under which the student handed them in, in the same order.
    pub names: Vec<String>,
}

/// Something in the download that is nobody's submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// Relative to the download, safe to print.
    pub path: String,
    pub reason: String,
}

/// A download, read.
#[derive(Debug)]
pub struct Class {
    pub layout: Layout,
    /// Sorted by key.
    pub students: Vec<Student>,
    pub ignored: Vec<Ignored>,
    /// Holds the unpacked zip while the class is graded.
    unpacked: Option<TempDir>,
}

impl Class {
    /// Where a zip was unpacked to; for tests and clean-up messages.
    pub fn unpacked_to(&self) -> Option<&Path> {
        self.unpacked.as_ref().map(TempDir::path)
    }
}

/// Why a download cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    #[error("{path} cannot be read: {source}. Give the folder or the .zip that the LMS gave you.")]
    Unreadable { path: String, source: std::io::Error },
    #[error("{path} is not a zip that can be unpacked: {reason}")]
    BadZip { path: String, reason: String },
    #[error(
        "{path} holds no submission. Expected Canvas, Moodle, Gradescope or one folder (or file) a student."
    )]
    Empty { path: String },
    #[error("{path}: {reason}")]
    Metadata { path: String, reason: String },
}

/// Reads a downloaded folder or zip. `due` is the deadline, for layouts that give times (Gradescope).
pub fn discover(source: &Path, due: Option<&str>) -> Result<Class, DiscoverError> {
    let shown = crate::submission::safe_name(source);
    let meta = std::fs::metadata(source)
        .map_err(|error| DiscoverError::Unreadable { path: shown.clone(), source: error })?;
    let mut ignored = Vec::new();
    let unpacked = if meta.is_dir() { None } else { Some(unpack::unpack(source, &mut ignored)?) };
    let root = unpacked.as_ref().map_or(source, TempDir::path);
    let root = entries::only_folder_inside(root);
    let entries = entries::top_level(&root, &mut ignored)
        .map_err(|error| DiscoverError::Unreadable { path: shown.clone(), source: error })?;
    let (layout, mut students) = if gradescope::is_export(&root) {
        (Layout::Gradescope, gradescope::read(&root, entries, due, &mut ignored)?)
    } else if entries.iter().any(|e| moodle::looks_like(&e.name)) {
        (Layout::Moodle, moodle::read(entries, &mut ignored))
    } else if canvas::looks_like(&entries) {
        (Layout::Canvas, canvas::read(entries, &mut ignored))
    } else {
        (Layout::Plain, plain::read(entries, &mut ignored))
    };
    if students.is_empty() && ignored.is_empty() {
        return Err(DiscoverError::Empty { path: shown });
    }
    keys::assign(&mut students);
    students.sort_by(|a, b| a.key.cmp(&b.key));
    ignored.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Class { layout, students, ignored, unpacked })
}
