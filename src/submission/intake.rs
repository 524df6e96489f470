//! One file's bytes to its place in the submission.

use std::collections::HashSet;

use super::classify::{self, Container, TextKind};
use super::limits::size_words;
use super::{Limits, SourceFile, Submission, answers, archive, decode, leftovers, notebook};
use crate::record::{IgnoredNote, InputFile, Notice};

/// A submission being read, with what is left of its limits.
pub(super) struct Intake<'l> {
    pub limits: &'l Limits,
    pub submission: Submission,
    /// Bytes unpacked from archives so far.
    pub unpacked: u64,
    /// Files and folders looked at so far.
    pub entries: usize,
    names: HashSet<String>,
    programs_refused: bool,
}

impl<'l> Intake<'l> {
    pub fn new(limits: &'l Limits) -> Self {
        Intake {
            limits,
            submission: Submission::default(),
            unpacked: 0,
            entries: 0,
            names: HashSet::new(),
            programs_refused: false,
        }
    }

    /// Counts one more file or folder; `false`, with a notice the first time, when there are too many.
    pub fn count_entry(&mut self) -> bool {
        self.entries += 1;
        if self.entries == self.limits.entries + 1 {
            let message = format!(
                "More than {} files were handed in; the rest was not looked at.",
                self.limits.entries
            );
            self.notice("too-many-files", message, "", 0);
        }
        self.entries <= self.limits.entries
    }

    pub fn notice(&mut self, kind: &str, message: impl Into<String>, file: &str, line: u32) {
        self.submission.notices.push(Notice {
            kind: kind.into(),
            message: message.into(),
            file: file.into(),
            line,
        });
    }

    pub fn ignore(&mut self, file: &str, reason: impl Into<String>) {
        self.submission.ignored.push(IgnoredNote {
            file: file.into(),
            line: 0,
            last_line: 0,
            reason: reason.into(),
        });
    }

    /// Notes a file that is larger than `limit` and was not read.
    pub fn too_large(&mut self, name: &str, bytes: u64, limit: u64) {
        self.submission.inputs.push(InputFile { file: name.into(), bytes, blake3: String::new() });
        let message = format!(
            "{name} has {}, more than the {} that are read. Hand in the source alone.",
            size_words(bytes),
            size_words(limit)
        );
        self.notice("too-large", message, name, 0);
    }

    /// The bytes that may be read of a file with this name.
    pub fn limit_for(&self, name: &str, head: &[u8]) -> u64 {
        match classify::container(name, head) {
            Container::Zip | Container::Gzip | Container::Tar => self.limits.archive_bytes,
            _ => self.limits.source_bytes,
        }
    }

    /// Takes in one file, whose name is already safe to print. `nesting` counts the archives around it.
    pub fn file(&mut self, name: &str, bytes: &[u8], nesting: u32) {
        if leftovers::is_leftover(name) {
            return;
        }
        let name = self.unique(name);
        self.submission.inputs.push(InputFile {
            file: name.clone(),
            bytes: bytes.len() as u64,
            blake3: blake3::hash(bytes).to_hex().to_string(),
        });
        if bytes.is_empty() {
            return self.empty(&name);
        }
        match classify::container(&name, bytes) {
            Container::Foreign(what) => self.ignore(&name, format!("{what}: not a CUDA source")),
            Container::Zip => archive::read_zip(self, &name, bytes, nesting),
            Container::Gzip => archive::read_gzip(self, &name, bytes, nesting),
            Container::Tar => archive::read_tar(self, &name, bytes, nesting),
            Container::Notebook => {
                if let Some(text) = self.decoded(&name, bytes) {
                    notebook::read(self, &name, &text);
                }
            }
            Container::Text => {
                if let Some(text) = self.decoded(&name, bytes) {
                    self.text(SourceFile { name, text, cell: None });
                }
            }
        }
    }

    /// Takes in a decoded text by what it is.
    pub fn text(&mut self, source: SourceFile) {
        if source.text.trim().is_empty() {
            return self.empty(&source.name);
        }
        match classify::text_kind(&source.name, &source.text) {
            TextKind::Program => self.program(source),
            TextKind::Diff => self.submission.diffs.push(source),
            TextKind::Answers => answers::read(self, &source.name, &source.text),
            TextKind::Transcript => self.submission.transcripts.push(source),
            TextKind::Other => {
                self.ignore(&source.name, "neither CUDA source nor answers.toml nor program output")
            }
        }
    }

    /// Keeps a program, up to the limit of programs.
    pub fn program(&mut self, source: SourceFile) {
        if self.submission.programs.len() < self.limits.programs {
            self.submission.programs.push(source);
            return;
        }
        if !std::mem::replace(&mut self.programs_refused, true) {
            let message = format!(
                "More than {} programs were handed in; {} and those after it are not graded.",
                self.limits.programs, source.name
            );
            self.notice("too-many-programs", message, &source.name, 0);
        }
    }

    /// Path order, and a word when nothing in the submission can be graded.
    pub fn finish(mut self) -> Submission {
        for list in
            [&mut self.submission.programs, &mut self.submission.diffs, &mut self.submission.transcripts]
        {
            list.sort_by(|a, b| {
                let key = |s: &SourceFile| (s.cell.map_or(s.name.clone(), |_| before_cell(&s.name)), s.cell);
                key(a).cmp(&key(b))
            });
        }
        if self.submission.programs.is_empty() && self.submission.diffs.is_empty() {
            let looked = self.submission.inputs.len();
            let message = match looked {
                0 => "Nothing was handed in: there is no file to read.".to_owned(),
                1 => format!("{} holds no CUDA program.", self.submission.inputs[0].file),
                _ => format!("None of the {looked} files handed in holds a CUDA program."),
            };
            self.notice("no-program", message, "", 0);
        }
        self.submission
    }

    fn empty(&mut self, name: &str) {
        if classify::promises_work(name) {
            self.notice("empty-file", format!("{name} is empty."), name, 0);
        } else {
            self.ignore(name, "empty");
        }
    }

    fn decoded(&mut self, name: &str, bytes: &[u8]) -> Option<String> {
        match decode::decode(bytes) {
            Some(decoded) => {
                if let Some(remark) = decoded.remark {
                    self.notice("encoding", format!("{name} {remark}."), name, 0);
                }
                Some(decoded.text)
            }
            None if classify::promises_work(name) => {
                let message = format!("{name} is not a text file: it holds bytes that no source has.");
                self.notice("binary-file", message, name, 0);
                None
            }
            None => {
                self.ignore(name, "not a text file");
                None
            }
        }
    }

    /// The name, or the name with a number where an archive holds it twice.
    pub fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut number = 2;
        while !self.names.insert(unique.clone()) {
            unique = format!("{name} ({number})");
            number += 1;
        }
        if number > 2 {
            let message =
                format!("{name} was handed in more than once; the later one is called {unique} here.");
            self.notice("duplicate-name", message, &unique, 0);
        }
        unique
    }
}

fn before_cell(name: &str) -> String {
    name.rsplit_once("[cell ").map_or(name, |(before, _)| before).to_owned()
}
