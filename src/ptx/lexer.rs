//! Splits PTX text into tokens, one at a time, without copying.

use super::error::ParseError;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, with its `%` or `$`: `%r1`, `$L__BB0_2`, `ld`, `_`.
    Word,
    /// A dot and the name after it, `::` included; the text is without the dot: `b32`, `shared::cta`.
    Dotted,
    /// A number, as written and without a sign.
    Number,
    /// A quoted string; the text is between the quotes, escapes untouched.
    Quoted,
    /// One character: punctuation, or something that PTX does not know.
    Punct,
    /// The end of the text.
    End,
}

/// A token, with its place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// Byte offset of the token's first character (the quote or dot included).
    pub offset: usize,
    /// 1-based.
    pub line: u32,
}

impl Token<'_> {
    pub fn is_punct(&self, c: &str) -> bool {
        self.kind == Kind::Punct && self.text == c
    }
}

/// A position in the text; copying it is a bookmark.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'a> {
    source: &'a str,
    at: usize,
    line: u32,
}

fn word_start(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$' | '%')
}

fn word_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

impl<'a> Lexer<'a> {
    pub fn new(source: &'a str) -> Self {
        Lexer { source, at: 0, line: 1 }
    }

    /// An error at `token`: what stands there, and what should.
    pub fn error_at(&self, token: &Token<'_>, expected: impl Into<String>) -> ParseError {
        let before = &self.source[..token.offset];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        ParseError {
            line: token.line,
            column: before[line_start..].chars().count() as u32 + 1,
            found: shown(token, &self.source[token.offset..]),
            expected: expected.into(),
        }
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn advance(&mut self, bytes: usize) {
        let passed = &self.source.as_bytes()[self.at..self.at + bytes];
        self.line += passed.iter().filter(|&&b| b == b'\n').count() as u32;
        self.at += bytes;
    }

    /// Skips blanks, `//` and `/* */` comments, and `@@` lines (DWARF of old compilers).
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            if blanks > 0 {
                self.advance(blanks);
            } else if rest.starts_with("//") || rest.starts_with("@@") {
                self.advance(rest.find('\n').unwrap_or(rest.len()));
            } else if let Some(comment) = rest.strip_prefix("/*") {
                self.advance(comment.find("*/").map_or(rest.len(), |i| i + 4));
            } else {
                return;
            }
        }
    }

    pub fn next(&mut self) -> Token<'a> {
        self.skip_blanks();
        let (offset, line) = (self.at, self.line);
        let rest = self.rest();
        let mut chars = rest.chars();
        let first = chars.next();
        let second = chars.next();
        let (kind, start, end, eaten) = match first {
            None => (Kind::End, 0, 0, 0),
            Some('"') => quoted(rest),
            Some('.') if second.is_some_and(word_part) => {
                let end = dotted_end(rest);
                (Kind::Dotted, 1, end, end)
            }
            Some(c) if c.is_ascii_digit() => {
                let end = number_end(rest);
                (Kind::Number, 0, end, end)
            }
            Some(c) if word_start(c) && (c != '%' || second.is_some_and(word_part)) => {
                let end = span(rest, c.len_utf8(), word_part);
                (Kind::Word, 0, end, end)
            }
            Some(c) => (Kind::Punct, 0, c.len_utf8(), c.len_utf8()),
        };
        let text = &rest[start..end];
        self.advance(eaten);
        Token { kind, text, offset, line }
    }
}

/// End of the run of characters from `from` on that `part` accepts.
fn span(text: &str, from: usize, part: impl Fn(char) -> bool) -> usize {
    text[from..].find(|c| !part(c)).map_or(text.len(), |i| from + i)
}

/// A string from its opening quote: (kind, start, end, bytes eaten). Without a closing quote on its line it is a
/// punctuation mark that no rule accepts, and the line is done with: no quote on it is scanned from twice.
fn quoted(rest: &str) -> (Kind, usize, usize, usize) {
    let mut escaped = false;
    for (i, b) in rest.bytes().enumerate().skip(1) {
        match b {
            b'\n' => return (Kind::Punct, 0, 1, i),
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return (Kind::Quoted, 1, i, i + 1),
            _ => {}
        }
    }
    (Kind::Punct, 0, 1, rest.len())
}

/// End of `.name` or `.name::name`.
fn dotted_end(rest: &str) -> usize {
    let mut end = span(rest, 1, word_part);
    while rest[end..].starts_with("::") && rest[end + 2..].starts_with(word_part) {
        end = span(rest, end + 2, word_part);
    }
    end
}

/// End of a number: `0x1F`, `0f3F800000`, `12U`, `1.5`, `1e-5`. Letters that do not belong are taken too, so that
/// the error names the whole thing.
fn number_end(rest: &str) -> usize {
    let mut end = span(rest, 0, word_part);
    let based = rest.starts_with('0') && rest[1..].starts_with(['x', 'X', 'b', 'B', 'f', 'F', 'd', 'D']);
    if based {
        return end;
    }
    if rest[..end].bytes().all(|b| b.is_ascii_digit()) && rest[end..].starts_with('.') {
        end = span(rest, end + 1, word_part);
    }
    if rest[..end].ends_with(['e', 'E']) {
        let sign = usize::from(rest[end..].starts_with(['+', '-']));
        if sign == 1 && rest[end + 1..].starts_with(|c: char| c.is_ascii_digit()) {
            end = span(rest, end + 1, word_part);
        }
    }
    end
}

/// A token as an error shows it: at most 40 characters of one line.
fn shown(token: &Token<'_>, from: &str) -> String {
    let length = match token.kind {
        Kind::End => return "the end of the text".to_owned(),
        Kind::Quoted => token.text.len() + 2,
        Kind::Dotted => token.text.len() + 1,
        _ => token.text.len(),
    };
    let text = &from[..length];
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("`{}…`", &text[..cut]),
        None => format!("`{text}`"),
    }
}
