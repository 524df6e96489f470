//! What `warpgrade start` writes: the program to edit, and the questions as a form to fill in.

use std::fmt::Write as _;

use super::{Exercise, MadeEdit, QuestionKind, TextFile};

impl Exercise {
    /// The program that a student starts from, under the name that it is built by.
    pub fn template_starter(&self) -> TextFile {
        TextFile { name: format!("{}.cu", self.id), text: self.template.text.clone() }
    }

    /// `answers.toml` with every question and no answer.
    pub fn answers_starter(&self) -> TextFile {
        let mut text = format!(
            "# {}: write your answers after the equals signs and hand this file in too.\n",
            self.title
        );
        for question in &self.questions {
            text.push('\n');
            for line in question.text.lines() {
                let _ = writeln!(text, "# {line}");
            }
            let empty = match &question.kind {
                QuestionKind::Count { repeats: 1, .. } => "# A whole number.\n",
                QuestionKind::Count { .. } => {
                    "# Whole numbers in brackets, one a run of the program: [0, 0, 0].\n"
                }
                QuestionKind::Sentence { .. } => "# In quotes.\n",
                QuestionKind::Choice { options, .. } => {
                    let _ = writeln!(text, "# One of: {}.", options.join(", "));
                    ""
                }
            };
            text.push_str(empty);
            let _ = writeln!(text, "#{} =", question.id);
        }
        TextFile { name: "answers.toml".to_owned(), text }
    }

    /// The staff's whole submission: the solution, the files of the configurations, the answers. Empty without a
    /// solution.
    pub fn solution_submission(&self) -> Vec<TextFile> {
        let Some(solution) = &self.solution else { return Vec::new() };
        let mut files = vec![solution.clone()];
        for configuration in &self.configurations {
            for edit in &configuration.edits {
                if let MadeEdit::File(file) = edit {
                    files.push(file.clone());
                }
            }
        }
        files.extend(self.answers.clone());
        files
    }
}
