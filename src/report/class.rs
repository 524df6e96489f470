//! One student's result within a class, as the class-level views need it.

use crate::record::Graded;

/// One person who handed in.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Member {
    pub name: String,
    /// The LMS's own number: Canvas user, Moodle participant, Gradescope student.
    pub id: Option<String>,
    pub email: Option<String>,
    /// Canvas's `SIS User ID`, `SIS Login ID`, `Section`, where a gradebook export gave them.
    pub sis_id: Option<String>,
    pub login: Option<String>,
    pub section: Option<String>,
}

/// One submission of the class: a student's, or a group's.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassEntry {
    /// Unique in the class, and safe as a file name.
    pub key: String,
    pub members: Vec<Member>,
    pub group: Option<String>,
    /// The folder's name in the download, under which Moodle takes feedback back.
    pub folder: Option<String>,
    /// As the LMS wrote it.
    pub submitted: Option<String>,
    pub late: bool,
    /// Where the student's page lies, relative to the dashboard: `students/ada/report.html`.
    pub page: Option<String>,
    /// Submissions that came to the same program share this; `None` when it is not known.
    pub program: Option<String>,
    /// Points after late policy and manual scores, where they differ from the record's.
    pub final_points: Option<f64>,
    pub graded: Graded,
}

impl ClassEntry {
    /// An entry with a key and a record, and nothing else known.
    pub fn new(key: impl Into<String>, graded: Graded) -> Self {
        Self {
            key: key.into(),
            members: Vec::new(),
            group: None,
            folder: None,
            submitted: None,
            late: false,
            page: None,
            program: None,
            final_points: None,
            graded,
        }
    }

    /// The points that count; `None` for a fault of ours, which is nobody's zero.
    pub fn points(&self) -> Option<f64> {
        self.final_points.or(self.graded.score.as_ref().map(|score| score.points))
    }

    /// What to call the entry: the group, the members, or its key.
    pub fn name(&self) -> String {
        let members: Vec<&str> = self.members.iter().map(|member| member.name.as_str()).collect();
        match (&self.group, members.is_empty()) {
            (Some(group), true) => group.clone(),
            (Some(group), false) => format!("{group} ({})", members.join(", ")),
            (None, false) => members.join(", "),
            (None, true) => self.key.clone(),
        }
    }
}

/// Entries in the order of every table: by name, then key, so that two runs give the same file.
pub(super) fn ordered(entries: &[ClassEntry]) -> Vec<&ClassEntry> {
    let mut ordered: Vec<&ClassEntry> = entries.iter().collect();
    ordered.sort_by_cached_key(|entry| (entry.name().to_lowercase(), entry.key.clone()));
    ordered
}
