//! The texts that a program was put together from, so that a message can show a line.

use std::collections::BTreeMap;

use crate::ptx::Frame;
use crate::record::SourceLine;

/// File names as the compiler knows them, and their lines.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: BTreeMap<String, Text>,
}

#[derive(Debug, Clone)]
struct Text {
    lines: Vec<String>,
    /// Written by the student, as against the template.
    students: bool,
}

/// Longest part of a line that a message shows, in characters.
const MOST_SHOWN: usize = 160;

impl Sources {
    /// Adds a file that the student wrote.
    pub fn add_students(&mut self, name: &str, text: &str) {
        self.add(name, text, true);
    }

    /// Adds a file that is ours: the template.
    pub fn add_ours(&mut self, name: &str, text: &str) {
        self.add(name, text, false);
    }

    fn add(&mut self, name: &str, text: &str, students: bool) {
        let lines = text.lines().map(|line| line.trim().chars().take(MOST_SHOWN).collect()).collect();
        self.files.insert(name.to_owned(), Text { lines, students });
    }

    /// The line that a message should name of a position and the call sites around it (innermost first): the innermost
    /// that the student wrote, else the innermost of the template's; the compiler's own headers are never named.
    pub fn line(&self, frames: &[Frame]) -> SourceLine {
        let students = |frame: &&Frame| self.files.get(&frame.file).is_some_and(|text| text.students);
        let known = |frame: &&Frame| self.files.contains_key(&frame.file);
        let chosen =
            frames.iter().position(|f| students(&f)).or_else(|| frames.iter().position(|f| known(&f)));
        let Some(chosen) = chosen else {
            // Not even the kernel's own file is known: say the line, and no path of this machine.
            let line = frames.last().map_or(0, |frame| frame.line);
            return SourceLine { file: "the program".to_owned(), line, ..empty() };
        };
        let frame = &frames[chosen];
        let outer = frames[chosen + 1..].iter().filter(known);
        SourceLine {
            file: frame.file.clone(),
            line: frame.line,
            column: frame.column,
            text: self.text(&frame.file, frame.line),
            inlined_from: outer.map(|frame| (frame.file.clone(), frame.line)).collect(),
        }
    }

    fn text(&self, file: &str, line: u32) -> String {
        let index = (line as usize).checked_sub(1);
        let text = self.files.get(file).zip(index).and_then(|(text, index)| text.lines.get(index));
        text.cloned().unwrap_or_default()
    }
}

fn empty() -> SourceLine {
    SourceLine { file: String::new(), line: 0, column: 0, text: String::new(), inlined_from: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(file: &str, line: u32) -> Frame {
        Frame { file: file.into(), line, column: 3, function: String::new(), mangled: String::new() }
    }

    #[test]
    fn the_students_line_comes_before_ours_and_headers_are_never_named() {
        let mut sources = Sources::default();
        sources.add_ours("template", "a\nb\nc");
        sources.add_students("mine.cu", "one\n  two();\nthree");
        let line = sources.line(&[frame("/opt/cuda/atomic.h", 9), frame("template", 2), frame("mine.cu", 2)]);
        assert_eq!((line.file.as_str(), line.line, line.text.as_str()), ("mine.cu", 2, "two();"));
        let line = sources.line(&[frame("/opt/cuda/atomic.h", 9), frame("template", 3)]);
        assert_eq!((line.file.as_str(), line.text.as_str()), ("template", "c"));
        let line = sources.line(&[frame("/opt/cuda/atomic.h", 9)]);
        assert_eq!(line.file, "the program");
    }

    #[test]
    fn call_sites_follow_innermost_first() {
        let mut sources = Sources::default();
        sources.add_students("mine.cu", "a\nb\nc");
        let line = sources.line(&[frame("mine.cu", 1), frame("header", 7), frame("mine.cu", 3)]);
        assert_eq!(line.inlined_from, [("mine.cu".to_owned(), 3)]);
    }
}
