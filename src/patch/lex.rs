//! CUDA source as tokens, comments and directives: enough of C++'s phases 2 and 3 to find things, never to judge them.
//!
//! Line splices (`\` before a line end) are honoured everywhere but in raw strings; digraphs are read as what they stand
//! for; trigraphs are not replaced, as NVRTC does not replace them either. Any text lexes.

use std::borrow::Cow;

/// A token. Comments are kept apart, a directive is one token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub kind: TokenKind,
    /// Byte range in the text.
    pub start: usize,
    pub end: usize,
    /// Without line splices; digraphs replaced. For a directive: its name.
    pub text: Cow<'t, str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    Text,
    Punct,
    /// Index into [`Lexed::directives`].
    Directive(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directive<'t> {
    /// `define`, `if`, …; empty for a lone `#`.
    pub name: Cow<'t, str>,
    /// What follows the name. `<cuda/atomic>` of an include is one text token.
    pub tokens: Vec<Token<'t>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Comment {
    pub start: usize,
    pub end: usize,
}

/// Something that swallows what stands after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unterminated {
    /// `comment`, `raw string`, `line` (a splice with nothing after it).
    pub what: &'static str,
    pub at: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Lexed<'t> {
    pub text: &'t str,
    pub tokens: Vec<Token<'t>>,
    pub directives: Vec<Directive<'t>>,
    pub comments: Vec<Comment>,
    pub unterminated: Vec<Unterminated>,
    /// Byte offset at which each line begins.
    lines: Vec<usize>,
}

impl<'t> Lexed<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut lines = vec![0];
        lines.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1));
        let mut lexed = Lexed {
            text,
            tokens: Vec::new(),
            directives: Vec::new(),
            comments: Vec::new(),
            unterminated: Vec::new(),
            lines,
        };
        Cursor { bytes: text.as_bytes(), at: 0 }.lex(&mut lexed);
        lexed
    }

    /// 1-based line of a byte offset.
    pub fn line(&self, at: usize) -> u32 {
        u32::try_from(self.lines.partition_point(|&start| start <= at)).unwrap_or(u32::MAX)
    }

    /// Byte offset at which the line of this offset begins.
    pub fn line_start(&self, at: usize) -> usize {
        self.lines[self.lines.partition_point(|&start| start <= at) - 1]
    }

    /// Byte offset just past the line of this offset, its line end included.
    pub fn line_end(&self, at: usize) -> usize {
        self.lines.get(self.lines.partition_point(|&start| start <= at)).copied().unwrap_or(self.text.len())
    }

    /// The 1-based line that holds the last byte before `end`.
    pub fn last_line(&self, start: usize, end: usize) -> u32 {
        self.line(end.saturating_sub(1).max(start))
    }
}

struct Cursor<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Cursor<'t> {
    /// The length of a splice at an offset, 0 when there is none.
    fn splice(&self, at: usize) -> usize {
        match self.bytes.get(at..at + 2) {
            Some(b"\\\n") => 2,
            _ => 0,
        }
    }

    fn past_splices(&self, mut at: usize) -> usize {
        loop {
            match self.splice(at) {
                0 => return at,
                length => at += length,
            }
        }
    }

    /// The logical byte here, 0 at the end.
    fn peek(&self) -> u8 {
        self.bytes.get(self.past_splices(self.at)).copied().unwrap_or(0)
    }

    /// The logical byte after it.
    fn peek_second(&self) -> u8 {
        let first = self.past_splices(self.at);
        self.bytes.get(self.past_splices(first + 1)).copied().unwrap_or(0)
    }

    fn bump(&mut self) {
        self.at = (self.past_splices(self.at) + 1).min(self.bytes.len());
    }

    fn ended(&self) -> bool {
        self.past_splices(self.at) >= self.bytes.len()
    }

    fn lex(mut self, out: &mut Lexed<'t>) {
        let mut line_start = true;
        while self.skip_blank(out, &mut line_start) {
            self.at = self.past_splices(self.at);
            let hash = self.peek() == b'#' || (self.peek() == b'%' && self.peek_second() == b':');
            if line_start && hash {
                self.directive(out);
            } else {
                let token = self.token(out);
                out.tokens.push(token);
            }
            line_start = false;
        }
        if out.text.ends_with("\\\n") || out.text.ends_with('\\') {
            out.unterminated.push(Unterminated { what: "line", at: out.text.len() - 1 });
        }
    }

    /// Skips white space and comments; `false` at the end.
    fn skip_blank(&mut self, out: &mut Lexed<'t>, line_start: &mut bool) -> bool {
        loop {
            if self.ended() {
                return false;
            }
            match self.peek() {
                b'\n' => {
                    *line_start = true;
                    self.bump();
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.bump(),
                b'/' if matches!(self.peek_second(), b'/' | b'*') => self.comment(out),
                _ => return true,
            }
        }
    }

    fn comment(&mut self, out: &mut Lexed<'t>) {
        self.at = self.past_splices(self.at);
        let start = self.at;
        let block = self.peek_second() == b'*';
        self.bump();
        self.bump();
        if block {
            while !(self.ended() || self.peek() == b'*' && self.peek_second() == b'/') {
                self.bump();
            }
            if self.ended() {
                out.unterminated.push(Unterminated { what: "comment", at: start });
            }
            self.bump();
            self.bump();
        } else {
            while !self.ended() && self.peek() != b'\n' {
                self.bump();
            }
        }
        out.comments.push(Comment { start, end: self.at.max(start) });
    }

    /// A directive, up to the end of its logical line.
    fn directive(&mut self, out: &mut Lexed<'t>) {
        let start = self.at;
        if self.peek() == b'%' {
            self.bump();
        }
        self.bump();
        let mut tokens: Vec<Token<'t>> = Vec::new();
        let mut end = self.at;
        loop {
            match self.peek() {
                _ if self.ended() => break,
                b'\n' => break,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.bump(),
                b'/' if matches!(self.peek_second(), b'/' | b'*') => self.comment(out),
                b'<' if tokens.len() == 1 && tokens[0].text.starts_with("include") => {
                    self.at = self.past_splices(self.at);
                    let from = self.at;
                    while !self.ended() && !matches!(self.peek(), b'>' | b'\n') {
                        self.bump();
                    }
                    if self.peek() == b'>' {
                        self.bump();
                    }
                    tokens.push(self.finish(TokenKind::Text, from, out.text));
                    end = self.at;
                }
                _ => {
                    self.at = self.past_splices(self.at);
                    tokens.push(self.token(out));
                    end = self.at;
                }
            }
        }
        let name = if tokens.first().is_some_and(|t| t.kind == TokenKind::Word) {
            tokens.remove(0).text
        } else {
            Cow::Borrowed("")
        };
        let index = out.directives.len();
        out.directives.push(Directive { name: name.clone(), tokens });
        out.tokens.push(Token { kind: TokenKind::Directive(index), start, end, text: name });
    }

    fn token(&mut self, out: &mut Lexed<'t>) -> Token<'t> {
        let start = self.at;
        let byte = self.peek();
        let kind = if is_word_start(byte) {
            while is_word_part(self.peek()) {
                self.bump();
            }
            let word = self.finish(TokenKind::Word, start, out.text);
            match (self.peek(), word.text.as_ref()) {
                (b'"', "R" | "LR" | "uR" | "UR" | "u8R") => {
                    self.raw_string(out, start);
                    TokenKind::Text
                }
                (quote @ (b'"' | b'\''), "L" | "u" | "U" | "u8") => {
                    self.quoted(quote);
                    TokenKind::Text
                }
                _ => return word,
            }
        } else if byte.is_ascii_digit() || (byte == b'.' && self.peek_second().is_ascii_digit()) {
            self.number();
            TokenKind::Number
        } else if byte == b'"' || byte == b'\'' {
            self.quoted(byte);
            TokenKind::Text
        } else {
            return self.punct(out.text);
        };
        self.finish(kind, start, out.text)
    }

    fn number(&mut self) {
        loop {
            let (byte, next) = (self.peek(), self.peek_second());
            if matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(next, b'+' | b'-') {
                self.bump();
                self.bump();
            } else if is_word_part(byte) || byte == b'.' || (byte == b'\'' && is_word_part(next)) {
                self.bump();
            } else {
                return;
            }
        }
    }

    /// A string or character literal; one without an end stops at the line's end, as in every compiler.
    fn quoted(&mut self, quote: u8) {
        self.bump();
        while !self.ended() {
            match self.peek() {
                b'\n' => return,
                b'\\' => {
                    self.bump();
                    if !self.ended() && self.peek() != b'\n' {
                        self.bump();
                    }
                }
                byte => {
                    self.bump();
                    if byte == quote {
                        return;
                    }
                }
            }
        }
    }

    /// From the quote of a raw string on; splices stand for themselves here.
    fn raw_string(&mut self, out: &mut Lexed<'t>, start: usize) {
        let open = self.past_splices(self.at) + 1;
        let delimiter = self.bytes[open..].iter().take(17).position(|&b| b == b'(');
        let Some(length) = delimiter else {
            self.at = open.min(self.bytes.len());
            return;
        };
        let mut close = vec![b')'];
        close.extend_from_slice(&self.bytes[open..open + length]);
        close.push(b'"');
        let body = open + length + 1;
        match find(&self.bytes[body..], &close) {
            Some(at) => self.at = body + at + close.len(),
            None => {
                out.unterminated.push(Unterminated { what: "raw string", at: start });
                self.at = self.bytes.len();
            }
        }
    }

    fn punct(&mut self, text: &'t str) -> Token<'t> {
        const PAIRS: [&[u8; 2]; 20] = [
            b"::", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"+=", b"-=",
            b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
        ];
        const DIGRAPHS: [(&[u8; 2], &str); 4] = [(b"<%", "{"), (b"%>", "}"), (b"<:", "["), (b":>", "]")];
        let start = self.at;
        let pair = [self.peek(), self.peek_second()];
        let digraph = DIGRAPHS.iter().find(|(from, _)| **from == pair);
        if digraph.is_some() || PAIRS.contains(&&pair) {
            self.bump();
            self.bump();
            let mut token = self.finish(TokenKind::Punct, start, text);
            if let Some((_, to)) = digraph {
                token.text = Cow::Borrowed(to);
            }
            return token;
        }
        self.bump();
        // A character beyond ASCII is one token, whole.
        while self.at < self.bytes.len() && !text.is_char_boundary(self.at) {
            self.at += 1;
        }
        self.finish(TokenKind::Punct, start, text)
    }

    fn finish(&self, kind: TokenKind, start: usize, text: &'t str) -> Token<'t> {
        let mut end = self.at.min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let raw = &text[start..end];
        let spliced = raw.contains("\\\n") && !raw.contains('"');
        let text = if spliced { Cow::Owned(raw.replace("\\\n", "")) } else { Cow::Borrowed(raw) };
        Token { kind, start, end, text }
    }
}

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

fn is_word_part(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit()
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        Lexed::new(text).tokens.iter().map(|t| t.text.to_string()).collect()
    }

    #[test]
    fn comments_and_splices_vanish() {
        assert_eq!(words("a /* b */ c // d \\\n e\nf"), ["a", "c", "f"]);
        assert_eq!(words("__thread\\\nfence()"), ["__threadfence", "(", ")"]);
        assert_eq!(words("/\\\n/ a\nb"), ["b"]);
        assert_eq!(words("<% %>"), ["{", "}"]);
        assert_eq!(
            words("R\"x(a } // )x\" 1'000u 'x' \"a\\\"b\""),
            ["R\"x(a } // )x\"", "1'000u", "'x'", "\"a\\\"b\""]
        );
    }

    #[test]
    fn a_directive_is_one_token_with_its_own() {
        let lexed = Lexed::new("#define F(x) \\\n  x // y\n#include <cuda/atomic>\nint a;");
        assert_eq!(lexed.directives[0].name, "define");
        assert_eq!(lexed.directives[0].tokens.len(), 5);
        assert_eq!(lexed.directives[1].tokens[0].text, "<cuda/atomic>");
        assert_eq!(lexed.tokens.len(), 5);
    }

    #[test]
    fn what_swallows_the_rest_is_told() {
        let whats = |text| Lexed::new(text).unterminated.iter().map(|u| u.what).collect::<Vec<_>>();
        assert_eq!(whats("a /* b"), ["comment"]);
        assert_eq!(whats("R\"x( b"), ["raw string"]);
        assert_eq!(whats("a // b \\"), ["line"]);
        assert_eq!(whats("a \"b\n c 'd\n e"), [] as [&str; 0]);
    }

    proptest! {
        #[test]
        fn any_text_lexes_and_covers_it(text in "(\\PC|\n|\\\\|/|\\*|\"|'|#|R|\\(|\\)){0,120}") {
            let lexed = Lexed::new(&text);
            let mut at = 0;
            for token in &lexed.tokens {
                prop_assert!(token.start >= at && token.end > token.start);
                prop_assert!(text.get(token.start..token.end).is_some());
                at = token.end;
            }
        }
    }
}
