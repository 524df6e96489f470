//! A student's identity as the store keeps it.

use serde::{Deserialize, Serialize};

use super::Student;

/// Who a student is, without the attempts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Identity {
    /// Name, LMS id, e-mail of each person.
    pub people: Vec<(String, Option<String>, Option<String>)>,
    pub group: Option<String>,
    pub feedback_folder: Option<String>,
}

impl Identity {
    pub fn of(student: &Student) -> Identity {
        Identity {
            people: student.people.iter().map(|p| (p.name.clone(), p.id.clone(), p.email.clone())).collect(),
            group: student.group.clone(),
            feedback_folder: student.feedback_folder.clone(),
        }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings always serialise")
    }

    /// Reads what [`Identity::to_json`] wrote; anything else is an empty identity, which is shown by its key.
    pub fn from_json(text: &str) -> Identity {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// What to call this student; `key` where nothing else is known.
    pub fn display_name(&self, key: &str) -> String {
        match (&self.group, self.people.as_slice()) {
            (Some(group), _) => group.clone(),
            (None, []) => key.to_owned(),
            (None, people) => people.iter().map(|p| p.0.as_str()).collect::<Vec<_>>().join(", "),
        }
    }
}
