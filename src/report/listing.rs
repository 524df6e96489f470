//! A student's file as numbered lines, some of them marked.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::record::{Graded, SourceLine};

/// Longest line shown, in characters.
const LINE_LIMIT: usize = 300;
/// A file of more lines than this is shown around its marks only.
const WHOLE_FILE: usize = 400;

/// A run of characters of one kind: `comment`, `keyword`, `ordering` (fences, barriers, atomics), or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Token {
    pub kind: &'static str,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    /// 1-based; 0 for a gap, whose token says how many lines are left out.
    pub number: u32,
    /// What is said at this line: `(1) read`, empty for an unmarked line.
    pub marks: Vec<String>,
    pub tokens: Vec<Token>,
    /// Whether this line belongs to an edit of the student's.
    pub edited: bool,
}

/// The lines around `at`, `context` on each side, with `mark` at it; the line's own text where the file is not known.
pub(super) fn excerpt(graded: &Graded, at: &SourceLine, context: u32, mark: &str) -> Vec<Line> {
    let source = graded.sources.iter().find(|source| source.file == at.file);
    let mut inside_comment = false;
    let marks = |number: u32| if number == at.line { vec![mark.to_owned()] } else { Vec::new() };
    match source {
        Some(source) if at.line > 0 => {
            let first = at.line.saturating_sub(context).max(1);
            let lines = (1u32..).zip(source.text.lines());
            let mut shown: Vec<Line> = lines
                .take_while(|(number, _)| *number <= at.line.saturating_add(context))
                .filter_map(|(number, text)| {
                    let tokens = tokens(text, &mut inside_comment);
                    (number >= first).then(|| Line { number, marks: marks(number), tokens, edited: false })
                })
                .collect();
            outdent(&mut shown);
            shown
        }
        _ if at.text.is_empty() => Vec::new(),
        _ => vec![Line {
            number: at.line,
            marks: vec![mark.to_owned()],
            tokens: tokens(&at.text, &mut inside_comment),
            edited: false,
        }],
    }
}

/// Takes off the indentation that all lines have, so that an excerpt uses its width.
fn outdent(lines: &mut [Line]) {
    let indent = |line: &Line| {
        let text = &line.tokens.first()?.text;
        let blanks = text.chars().take_while(|c| *c == ' ').count();
        (blanks < text.chars().count() || line.tokens.len() > 1).then_some(blanks)
    };
    let shared = lines.iter().filter_map(indent).min().unwrap_or(0);
    for token in lines.iter_mut().filter_map(|line| line.tokens.first_mut()) {
        token.text = token.text.chars().skip(shared).collect();
    }
}

/// The whole file with `marks` by line number; a long file only around its marks and edits.
pub(super) fn listing(text: &str, marks: &BTreeMap<u32, Vec<String>>, edits: &[(u32, u32)]) -> Vec<Line> {
    let edited = |number: u32| edits.iter().any(|(first, last)| (*first..=*last).contains(&number));
    let long = text.lines().count() > WHOLE_FILE;
    let near = |number: u32| {
        let low = number.saturating_sub(6);
        let high = number.saturating_add(6);
        number <= 3
            || marks.range(low..=high).next().is_some()
            || edits
                .iter()
                .any(|(first, last)| low <= (*last).min(first.saturating_add(40)) && *first <= high)
    };
    let mut shown = Vec::new();
    let mut left_out = 0u32;
    let mut inside_comment = false;
    for (number, line) in (1u32..).zip(text.lines()) {
        let tokens = tokens(line, &mut inside_comment);
        if long && !near(number) {
            left_out += 1;
            continue;
        }
        close_gap(&mut shown, &mut left_out);
        let marks = marks.get(&number).cloned().unwrap_or_default();
        shown.push(Line { number, marks, tokens, edited: edited(number) });
    }
    close_gap(&mut shown, &mut left_out);
    shown
}

fn close_gap(shown: &mut Vec<Line>, left_out: &mut u32) {
    if *left_out > 0 {
        let text = format!("… {} …", super::numbers::counted(*left_out as usize, "line", "lines"));
        let tokens = vec![Token { kind: "comment", text }];
        shown.push(Line { number: 0, marks: Vec::new(), tokens, edited: false });
        *left_out = 0;
    }
}

const KEYWORDS: [&str; 29] = [
    "__global__",
    "__device__",
    "__shared__",
    "__restrict__",
    "__launch_bounds__",
    "const",
    "constexpr",
    "void",
    "float",
    "double",
    "int",
    "unsigned",
    "bool",
    "char",
    "size_t",
    "if",
    "else",
    "for",
    "while",
    "do",
    "return",
    "static",
    "volatile",
    "struct",
    "template",
    "typename",
    "auto",
    "break",
    "continue",
];

fn is_ordering(word: &str) -> bool {
    word.starts_with("__sync")
        || word.starts_with("__threadfence")
        || word.starts_with("atomic")
        || word.starts_with("memory_order")
        || matches!(
            word,
            "fetch_add" | "fetch_sub" | "compare_exchange_strong" | "compare_exchange_weak" | "acq_rel"
        )
        || word.starts_with("thread_scope")
}

/// Cuts one line into tokens; `inside_comment` carries `/* … */` from line to line.
fn tokens(line: &str, inside_comment: &mut bool) -> Vec<Token> {
    let shown: String = line.chars().take(LINE_LIMIT).collect();
    let cut = line.chars().count().saturating_sub(LINE_LIMIT);
    let mut found: Vec<Token> = Vec::new();
    let mut push = |kind: &'static str, text: &str| {
        if text.is_empty() {
            return;
        }
        match found.last_mut() {
            Some(last) if last.kind == kind => last.text.push_str(text),
            _ => found.push(Token { kind, text: text.to_owned() }),
        }
    };
    let mut rest = shown.as_str();
    while !rest.is_empty() {
        if *inside_comment {
            let end = rest.find("*/").map_or(rest.len(), |at| at + 2);
            *inside_comment = !rest[..end].ends_with("*/");
            push("comment", &rest[..end]);
            rest = &rest[end..];
        } else if rest.starts_with("//") {
            push("comment", rest);
            rest = "";
        } else if rest.starts_with("/*") {
            *inside_comment = true;
            push("comment", "/*");
            rest = &rest[2..];
        } else if let Some(text) = rest.strip_prefix('"') {
            let end = string_end(text);
            push("", &rest[..1 + end]);
            rest = &rest[1 + end..];
        } else {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if end == 0 {
                let next = rest.chars().next().map_or(1, char::len_utf8);
                push("", &rest[..next]);
                rest = &rest[next..];
            } else {
                let word = &rest[..end];
                let kind = if is_ordering(word) {
                    "ordering"
                } else if KEYWORDS.contains(&word) {
                    "keyword"
                } else {
                    ""
                };
                push(kind, word);
                rest = &rest[end..];
            }
        }
    }
    if cut > 0 {
        push("comment", &format!(" … {cut} more characters"));
    }
    found
}

/// Bytes up to and with the closing quote of a string whose opening quote stands before `text`.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(line: &str) -> Vec<(&'static str, String)> {
        tokens(line, &mut false).into_iter().map(|token| (token.kind, token.text)).collect()
    }

    #[test]
    fn ordering_and_comments_are_told_apart() {
        let found = kinds("if (x) __threadfence(); // \"late\"");
        let expected = [
            ("keyword", "if"),
            ("", " (x) "),
            ("ordering", "__threadfence"),
            ("", "(); "),
            ("comment", "// \"late\""),
        ];
        assert_eq!(found, expected.map(|(kind, text)| (kind, text.to_owned())));
    }

    #[test]
    fn a_comment_runs_over_lines() {
        let mut inside = false;
        tokens("a /* b", &mut inside);
        assert!(inside);
        assert_eq!(tokens("c */ d", &mut inside)[0].text, "c */");
        assert!(!inside);
    }

    #[test]
    fn a_long_file_is_shown_around_its_marks() {
        let text = "x;\n".repeat(1000);
        let marks = BTreeMap::from([(500, vec!["(1)".to_owned()])]);
        let lines = listing(&text, &marks, &[]);
        assert!(lines.len() < 30);
        assert!(lines.iter().any(|line| line.number == 500 && line.marks == ["(1)"]));
        assert_eq!(lines.last().map(|line| line.tokens[0].text.as_str()), Some("… 494 lines …"));
    }
}
