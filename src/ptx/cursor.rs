//! The parser's place in the text, and the small steps that every rule takes.

use super::error::ParseError;
use super::lexer::{Kind, Lexer, Token};
use super::literal::{self, Literal};

/// One token under the eye and one behind it.
pub(super) struct Cursor<'a> {
    lexer: Lexer<'a>,
    pub now: Token<'a>,
    pub after: Token<'a>,
}

impl<'a> Cursor<'a> {
    pub fn new(source: &'a str) -> Self {
        let mut lexer = Lexer::new(source);
        let now = lexer.next();
        let after = lexer.next();
        Cursor { lexer, now, after }
    }

    /// Takes the token.
    pub fn bump(&mut self) -> Token<'a> {
        let taken = self.now;
        self.now = self.after;
        self.after = self.lexer.next();
        taken
    }

    pub fn error(&self, expected: impl Into<String>) -> ParseError {
        self.lexer.error_at(&self.now, expected)
    }

    pub fn error_at(&self, token: &Token<'_>, expected: impl Into<String>) -> ParseError {
        self.lexer.error_at(token, expected)
    }

    pub fn at_end(&self) -> bool {
        self.now.kind == Kind::End
    }

    pub fn at(&self, punct: &str) -> bool {
        self.now.is_punct(punct)
    }

    pub fn at_dotted(&self, name: &str) -> bool {
        self.now.kind == Kind::Dotted && self.now.text == name
    }

    /// Takes the punctuation mark if it is there.
    pub fn eat(&mut self, punct: &str) -> bool {
        let there = self.at(punct);
        if there {
            self.bump();
        }
        there
    }

    pub fn eat_dotted(&mut self, name: &str) -> bool {
        let there = self.at_dotted(name);
        if there {
            self.bump();
        }
        there
    }

    pub fn expect(&mut self, punct: &str) -> Result<(), ParseError> {
        if self.eat(punct) { Ok(()) } else { Err(self.error(format!("`{punct}`"))) }
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str, ParseError> {
        if self.now.kind == Kind::Word { Ok(self.bump().text) } else { Err(self.error(what)) }
    }

    /// A number with an optional sign.
    pub fn literal(&mut self, what: &str) -> Result<Literal, ParseError> {
        let mut negative = false;
        while self.at("-") || self.at("+") {
            negative ^= self.bump().text == "-";
        }
        if self.now.kind != Kind::Number {
            return Err(self.error(what));
        }
        let token = self.bump();
        let value = literal::number(token.text)
            .ok_or_else(|| self.error_at(&token, "a number of at most 127 bits"))?;
        Ok(match value {
            Literal::Int(v) => Literal::Int(if negative { -v } else { v }),
            Literal::F32(bits) => Literal::F32(bits ^ (u32::from(negative) << 31)),
            Literal::F64(bits) => Literal::F64(bits ^ (u64::from(negative) << 63)),
        })
    }

    /// An integer that fits `T`.
    pub fn integer<T: TryFrom<i128>>(&mut self, what: &str) -> Result<T, ParseError> {
        let token = self.now;
        match self.literal(what)? {
            Literal::Int(v) => T::try_from(v).map_err(|_| self.error_at(&token, what)),
            _ => Err(self.error_at(&token, what)),
        }
    }

    /// `+4`, `-4`, `+-4` if there, else 0.
    pub fn offset(&mut self) -> Result<i64, ParseError> {
        if self.at("+") || self.at("-") { self.integer("a byte offset") } else { Ok(0) }
    }

    pub fn quoted(&mut self, what: &str) -> Result<String, ParseError> {
        if self.now.kind == Kind::Quoted {
            Ok(literal::unescape(self.bump().text))
        } else {
            Err(self.error(what))
        }
    }

    /// A name with its dots: `%tid.x`.
    pub fn dotted_name(&mut self, what: &str) -> Result<String, ParseError> {
        let mut name = self.word(what)?.to_owned();
        while self.now.kind == Kind::Dotted {
            name.push('.');
            name.push_str(self.bump().text);
        }
        Ok(name)
    }

    /// `a, b, c` of one rule.
    pub fn comma_list<T>(
        &mut self,
        mut rule: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = vec![rule(self)?];
        while self.eat(",") {
            items.push(rule(self)?);
        }
        Ok(items)
    }

    /// Skips a directive that nobody knows: to its `;`, to the end of its `{ … }`, or to the end of its line.
    ///
    /// It never runs past its line outside braces, so that it cannot swallow an instruction unseen.
    pub fn skip_directive(&mut self) {
        let mut line = self.now.line;
        let mut depth = 0u32;
        self.bump();
        while !self.at_end() {
            let opens = self.at("{");
            if depth == 0 && (self.now.line > line || self.at("}")) {
                return;
            }
            line = self.now.line;
            let token = self.bump();
            match token.text {
                "{" if opens => depth += 1,
                "}" if token.is_punct("}") => {
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                ";" if depth == 0 && token.is_punct(";") => return,
                _ => {}
            }
        }
    }
}
