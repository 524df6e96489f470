//! NVRTC's log as diagnostics at the student's lines.
//!
//! The log's shape is that of EDG's front end, which NVIDIA does not document; what is read here was seen in
//! NVRTC 12.9 and 13:
//!
//! ```text
//! my.cu(45): error: no instance of overloaded function "atomicAdd" matches the argument list
//!             argument types are: (int *, const char [2])
//!     atomicAdd(p, "x");
//!     ^
//! my.cu(40): note #3326-D: …
//!           detected during instantiation of "T twice(T) [with T=int]" at line 44
//! ```
//!
//! `ptxas` adds `ptxas application ptx input, line 31; error   : …` when it is asked for a CUBIN.

use std::path::PathBuf;

use crate::record::Diagnostic;

/// Most diagnostics kept, and most characters of one message: a template bomb writes megabytes.
const MOST: usize = 60;
const LONGEST: usize = 1500;

/// What may be named in a message.
pub(super) struct Names<'a> {
    /// The program's own name and those of its `#line`s.
    pub files: &'a [String],
    /// Header folders; never shown: a header in one is `<cuda/atomic>`.
    pub include_dirs: &'a [PathBuf],
}

/// Reads a log. Lines of a PTX that `ptxas` names have file `ptx`; [`compile`](super::compile) maps them.
pub(super) fn diagnostics(log: &str, names: &Names) -> Vec<Diagnostic> {
    let mut found: Vec<Message> = Vec::new();
    let mut open = false;
    for line in log.lines() {
        if let Some(message) = Message::begin(line, names) {
            found.push(message);
            open = true;
        } else if line.trim().is_empty() || is_trailer(line) {
            open = false;
        } else if open && let Some(last) = found.last_mut() {
            last.rest.push(line.to_owned());
        }
    }
    let left_out = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    let mut all: Vec<Diagnostic> = found.into_iter().map(|message| message.finish(names)).collect();
    if left_out > 0 {
        all.push(plain("note", format!("{left_out} more messages are left out")));
    }
    all
}

pub(super) fn plain(level: &str, message: String) -> Diagnostic {
    Diagnostic { level: level.to_owned(), file: String::new(), line: 0, message, text: String::new() }
}

/// The names in a program's `#line` directives.
pub(super) fn line_names(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in source.lines() {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        let Some(rest) = rest.and_then(|r| r.strip_prefix("line")) else { continue };
        if let Some((_, name)) = rest.split_once('"')
            && let Some((name, _)) = name.rsplit_once('"')
        {
            let name = name.replace("\\\"", "\"").replace("\\\\", "\\");
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

fn is_trailer(line: &str) -> bool {
    line.starts_with("Remark: The warnings can be suppressed")
        || line.contains(" detected in the compilation of ")
        || line == "Compilation terminated."
        || line.starts_with("Error limit reached")
}

/// A message as it stands in the log: its first line taken apart, the others as they are.
struct Message {
    level: &'static str,
    file: String,
    line: u32,
    message: String,
    rest: Vec<String>,
}

impl Message {
    fn begin(line: &str, names: &Names) -> Option<Message> {
        if line.starts_with(' ') {
            return None;
        }
        let message = |level, file: &str, line, text: &str| {
            Some(Message {
                level,
                file: file.to_owned(),
                line,
                message: text.trim().to_owned(),
                rest: Vec::new(),
            })
        };
        if let Some(rest) = line.strip_prefix("ptxas ") {
            let (before, text) = rest.split_once(": ").or_else(|| rest.split_once(':'))?;
            let level = if before.contains("warning") { "warning" } else { "error" };
            let number =
                before.split_once("line ").and_then(|(_, n)| n.split(';').next()?.trim().parse().ok());
            return message(level, if number.is_some() { "ptx" } else { "" }, number.unwrap_or(0), text);
        }
        if let Some(rest) = line.strip_prefix("nvrtc: ") {
            let (level, text) = severity(rest)?;
            return message(level, "", 0, text);
        }
        // Known names first: a student's file may have parentheses and colons in its name.
        let known =
            names.files.iter().filter_map(|name| Some((name.as_str(), line.strip_prefix(name.as_str())?)));
        let unknown = line.match_indices('(').map(|(at, _)| line.split_at(at));
        for (file, rest) in known.chain(unknown) {
            let Some((number, rest)) = rest.strip_prefix('(').and_then(|r| r.split_once("): ")) else {
                continue;
            };
            let Ok(number) = number.parse() else { continue };
            let Some((level, text)) = severity(rest) else { continue };
            return message(level, file, number, text);
        }
        // `Note #3326-D: function … does not match` has no place of its own.
        None
    }

    /// Joins the continuation lines, takes out the quoted source line, and cleans the names.
    fn finish(self, names: &Names) -> Diagnostic {
        let mut message = self.message;
        let mut text = String::new();
        let mut call_sites: Vec<(String, u32)> = Vec::new();
        let is_caret = |line: &String| line.trim() == "^";
        for (index, line) in self.rest.iter().enumerate() {
            if is_caret(line) {
                continue;
            }
            if text.is_empty() && self.rest.get(index + 1).is_some_and(is_caret) {
                text = line.trim().to_owned();
                continue;
            }
            let part = line.trim();
            if let Some(place) = call_site(part, &self.file) {
                call_sites.push(place);
            }
            let part = match part.split_once("-D: ") {
                Some((number, rest)) if number.starts_with("Note #") => rest,
                _ => part,
            };
            if message.len() < LONGEST {
                message.push_str(if message.ends_with(':') { " " } else { "; " });
                message.push_str(part);
            }
        }
        let (mut file, mut line) = (self.file, self.line);
        let is_own = |file: &String| names.files.contains(file);
        // An error deep in a header is the student's at the line that led there.
        if !file.is_empty() && file != "ptx" && !is_own(&file) {
            if let Some((own, at)) = call_sites.into_iter().rev().find(|(file, _)| is_own(file)) {
                message = format!("{message} (inside {})", shown(&file, names));
                (file, line) = (own, at);
                text.clear();
            } else {
                file = shown(&file, names);
                text.clear();
            }
        }
        let message = printable(&without_paths(&message, names));
        Diagnostic { level: self.level.to_owned(), file, line, message, text: printable(&text) }
    }
}

/// Takes `error: …`, `warning #177-D: …`, `catastrophic error: …` apart.
fn severity(rest: &str) -> Option<(&'static str, &str)> {
    let words = [
        ("catastrophic error", "error"),
        ("internal error", "error"),
        ("error", "error"),
        ("warning", "warning"),
        ("remark", "note"),
        ("note", "note"),
    ];
    for (word, level) in words {
        if let Some(rest) = rest.strip_prefix(word) {
            let rest = match rest.strip_prefix(" #").and_then(|r| r.split_once(": ")) {
                Some((_, text)) => text,
                None => match rest.strip_prefix(": ") {
                    Some(text) => text,
                    None => continue,
                },
            };
            return Some((level, rest));
        }
    }
    None
}

/// The place at the end of `instantiation of … at line 105 of /…/reference.h`.
fn call_site(part: &str, file: &str) -> Option<(String, u32)> {
    let (_, place) = part.rsplit_once(" at line ")?;
    let (number, file) = place.split_once(" of ").unwrap_or((place, file));
    Some((file.trim().to_owned(), number.trim().parse().ok()?))
}

/// A header's name as one includes it.
pub(super) fn shown(file: &str, names: &Names) -> String {
    for dir in names.include_dirs {
        if let Some(rest) = file.strip_prefix(&*dir.to_string_lossy()) {
            return format!("<{}>", rest.trim_start_matches(['/', '\\']));
        }
    }
    if file.contains(['/', '\\']) { "<header>".to_owned() } else { format!("<{file}>") }
}

/// Replaces every path into our header folders by the header's name.
fn without_paths(message: &str, names: &Names) -> String {
    let mut message = message.to_owned();
    for dir in names.include_dirs {
        let dir = dir.to_string_lossy();
        while let Some(at) = message.find(&*dir) {
            let end = message[at + dir.len()..]
                .find(|c: char| c.is_whitespace() || matches!(c, '"' | ',' | ';' | ')' | '('))
                .map_or(message.len(), |n| at + dir.len() + n);
            let header = message[at + dir.len()..end].trim_start_matches(['/', '\\']).to_owned();
            message.replace_range(at..end, &format!("<{header}>"));
        }
    }
    message
}

/// Control characters made harmless, and cut to a length that a person reads.
fn printable(text: &str) -> String {
    let clean = text.chars().map(|c| if c == '\t' { ' ' } else { c });
    let clean = clean.map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut cut: String = clean.take(LONGEST).collect();
    if cut.len() < text.len() && text.chars().count() > LONGEST {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(log: &str) -> Vec<Diagnostic> {
        let files = ["my file.cu".to_owned(), "template".to_owned()];
        let dirs = [PathBuf::from("/home/ada/.cache/cccl/include")];
        diagnostics(log, &Names { files: &files, include_dirs: &dirs })
    }

    #[test]
    fn a_message_over_several_lines_is_one_diagnostic() {
        let log = "my file.cu(45): error: no instance of overloaded function \"atomicAdd\" matches the argument list\n            argument types are: (int *, const char [2])\n    atomicAdd(p, \"x\");\n    ^\nNote #3326-D: function \"atomicAdd(int *, int)\" does not match because argument #2 does not match parameter\n\nmy file.cu(42): warning #177-D: variable \"unused\" was declared but never referenced\n    int unused;\n        ^\n\nRemark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n1 error detected in the compilation of \"a.cu\".\n";
        let found = read(log);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].file.as_str(), found[0].line, found[0].level.as_str()),
            ("my file.cu", 45, "error")
        );
        assert_eq!(
            found[0].message,
            "no instance of overloaded function \"atomicAdd\" matches the argument list; argument types are: (int *, const char [2]); function \"atomicAdd(int *, int)\" does not match because argument #2 does not match parameter"
        );
        assert_eq!(found[0].text, "atomicAdd(p, \"x\");");
        assert_eq!((found[1].level.as_str(), found[1].text.as_str()), ("warning", "int unused;"));
    }

    #[test]
    fn an_error_inside_a_header_is_shown_at_the_students_line() {
        let log = "/home/ada/.cache/cccl/include/cuda/std/scopes.h(83): error: class \"X\" has no member \"__tag\"\n  using T = X::__tag;\n                                                               ^\n          detected during:\n            instantiation of type \"X\" at line 105 of /home/ada/.cache/cccl/include/cuda/std/reference.h\n            instantiation of class \"A\" at line 2 of my file.cu\n";
        let found = read(log);
        assert_eq!((found[0].file.as_str(), found[0].line), ("my file.cu", 2));
        assert!(found[0].message.contains("<cuda/std/scopes.h>"), "{}", found[0].message);
        assert!(found[0].message.contains("<cuda/std/reference.h>"), "{}", found[0].message);
        assert!(!found[0].message.contains("/home/ada"), "{}", found[0].message);
    }

    #[test]
    fn a_path_that_is_not_ours_is_never_shown() {
        let found = read("/etc/hostname(1): error: this declaration has no storage class\n  secret\n  ^\n");
        assert_eq!((found[0].file.as_str(), found[0].text.as_str()), ("<header>", ""));
    }

    #[test]
    fn ptxas_and_nvrtc_speak_without_a_file() {
        let found = read(
            "nvrtc: error: invalid value for --gpu-architecture (-arch)\nptxas application ptx input, line 31; error   : Unknown modifier '.x'\nptxas fatal   : Ptx assembly aborted due to errors\n",
        );
        assert_eq!(found[0].message, "invalid value for --gpu-architecture (-arch)");
        assert_eq!((found[1].file.as_str(), found[1].line), ("ptx", 31));
        assert_eq!(found[1].message, "Unknown modifier '.x'");
    }

    #[test]
    fn a_flood_is_cut() {
        let log = "template(1): error: x\n".repeat(500);
        let found = read(&log);
        assert_eq!(found.len(), MOST + 1);
        assert_eq!(found[MOST].message, "440 more messages are left out");
    }

    #[test]
    fn names_come_from_line_directives() {
        assert_eq!(
            line_names("#line 3 \"a b.cu\"\n# line 4 \"c\\\"d.cu\"\n#line 5\n"),
            ["a b.cu", "c\"d.cu"]
        );
    }
}
