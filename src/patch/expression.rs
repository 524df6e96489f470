//! Constant expressions of whole numbers: `#if` conditions and constants' initialisers, as far as they can be told
//! without a compiler.

use super::lex::{Token, TokenKind};

/// What a name stands for in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Value(i128),
    /// Cannot be told here.
    Unknown,
}

/// Evaluates an expression over whole numbers; `None` when it is none or cannot be told. `&&` and `||` are told from one
/// side where that suffices.
pub(super) fn evaluate(tokens: &[Token], names: &dyn Fn(&str) -> Meaning) -> Option<i128> {
    let mut parser = Parser { tokens, at: 0, names, depth: 0 };
    let value = parser.ternary().ok()?;
    (parser.at == tokens.len()).then_some(value)?
}

/// `Err` for what is no expression, `Ok(None)` for a value that cannot be told.
type Partial = Result<Option<i128>, ()>;

struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    at: usize,
    names: &'p dyn Fn(&str) -> Meaning,
    depth: u32,
}

/// Parentheses and prefixes inside one another; beyond it an expression cannot be told.
const DEEPEST: u32 = 64;

const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser<'_, '_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |t| t.text.as_ref())
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.at += usize::from(found);
        found
    }

    fn ternary(&mut self) -> Partial {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(());
        }
        let condition = self.binary(0)?;
        let value = if self.take("?") {
            let yes = self.ternary()?;
            if !self.take(":") {
                return Err(());
            }
            let no = self.ternary()?;
            condition.and_then(|c| if c != 0 { yes } else { no })
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, level: usize) -> Partial {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.binary(level + 1)?;
        while operators.contains(&self.peek()) {
            let operator = self.peek().to_owned();
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = apply(&operator, left, right);
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Partial {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(());
        }
        let value = match self.peek() {
            "-" => self.after_operator()?.and_then(i128::checked_neg),
            "+" => self.after_operator()?,
            "!" => self.after_operator()?.map(|v| i128::from(v == 0)),
            "~" => self.after_operator()?.map(|v| !v),
            _ => self.primary()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn after_operator(&mut self) -> Partial {
        self.at += 1;
        self.prefix()
    }

    fn primary(&mut self) -> Partial {
        let Some(token) = self.tokens.get(self.at) else { return Err(()) };
        self.at += 1;
        match (token.kind, token.text.as_ref()) {
            (TokenKind::Number, text) => Ok(number(text)),
            (_, "(") if self.is_cast() => {
                while !self.take(")") {
                    self.at += 1;
                }
                self.prefix()
            }
            (_, "(") => {
                let value = self.ternary()?;
                if self.take(")") { Ok(value) } else { Err(()) }
            }
            (_, "static_cast") => {
                if !self.take("<") {
                    return Err(());
                }
                while !self.take(">") {
                    if self.at >= self.tokens.len() {
                        return Err(());
                    }
                    self.at += 1;
                }
                self.primary()
            }
            (_, "defined") => {
                let bracket = self.take("(");
                let name = self.peek().to_owned();
                self.at += 1;
                if bracket && !self.take(")") {
                    return Err(());
                }
                Ok(match (self.names)(&format!("defined {name}")) {
                    Meaning::Value(v) => Some(v),
                    Meaning::Unknown => None,
                })
            }
            (_, "true") => Ok(Some(1)),
            (_, "false") => Ok(Some(0)),
            (TokenKind::Word, name) => {
                let meaning = (self.names)(name);
                // `int(8192)` and `__has_include(<x>)`.
                if self.peek() == "(" {
                    let inner = self.skip_call()?;
                    return Ok(if is_type_word(name) {
                        let mut cast = Parser {
                            tokens: &self.tokens[inner],
                            at: 0,
                            names: self.names,
                            depth: self.depth,
                        };
                        cast.ternary().ok().flatten()
                    } else {
                        None
                    });
                }
                Ok(match meaning {
                    Meaning::Value(v) => Some(v),
                    Meaning::Unknown => None,
                })
            }
            _ => Err(()),
        }
    }

    /// Whether what stands in the parenthesis just opened is a type: `(size_t)`, `(unsigned int)`.
    fn is_cast(&self) -> bool {
        let words = self.tokens[self.at..].iter().take_while(|t| t.text != ")");
        let count = words.clone().count();
        count > 0
            && words.clone().all(|t| is_type_word(&t.text) || t.text == "::")
            && self.at + count < self.tokens.len()
    }

    /// Past a parenthesis and what it holds; the token range inside.
    fn skip_call(&mut self) -> Result<std::ops::Range<usize>, ()> {
        let from = self.at + 1;
        let mut open = 0usize;
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match token.text.as_ref() {
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            if open == 0 {
                return Ok(from..self.at - 1);
            }
        }
        Err(())
    }
}

fn apply(operator: &str, left: Option<i128>, right: Option<i128>) -> Option<i128> {
    match (operator, left, right) {
        ("&&", Some(0), _) | ("&&", _, Some(0)) => return Some(0),
        ("||", Some(v), _) | ("||", _, Some(v)) if v != 0 => return Some(1),
        _ => {}
    }
    let (a, b) = (left?, right?);
    let shift = || u32::try_from(b).ok().filter(|s| *s < 64);
    match operator {
        "||" => Some(i128::from(a != 0 || b != 0)),
        "&&" => Some(i128::from(a != 0 && b != 0)),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "&" => Some(a & b),
        "==" => Some(i128::from(a == b)),
        "!=" => Some(i128::from(a != b)),
        "<" => Some(i128::from(a < b)),
        ">" => Some(i128::from(a > b)),
        "<=" => Some(i128::from(a <= b)),
        ">=" => Some(i128::from(a >= b)),
        "<<" => a.checked_mul(1i128.checked_shl(shift()?)?),
        ">>" => Some(a >> shift()?),
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        _ => None,
    }
}

/// A whole number with its separators and suffixes; `None` for a floating one.
fn number(text: &str) -> Option<i128> {
    let plain: String = text.chars().filter(|c| *c != '\'').collect::<String>().to_ascii_lowercase();
    let digits = plain.trim_end_matches(['u', 'l', 'z']);
    let value = if let Some(hex) = digits.strip_prefix("0x") {
        u64::from_str_radix(hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        u64::from_str_radix(binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(&digits[1..], 8)
    } else {
        digits.parse()
    };
    value.ok().map(i128::from)
}

fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "int"
            | "unsigned"
            | "signed"
            | "long"
            | "short"
            | "char"
            | "const"
            | "size_t"
            | "std"
            | "uint32_t"
            | "int32_t"
            | "uint64_t"
            | "int64_t"
            | "bool"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::lex::Lexed;
    use proptest::prelude::*;

    fn value(text: &str) -> Option<i128> {
        evaluate(&Lexed::new(text).tokens, &|name| match name {
            "kTwo" => Meaning::Value(2),
            _ => Meaning::Unknown,
        })
    }

    #[test]
    fn values_of_the_kinds_that_constants_have() {
        assert_eq!(value("8192"), Some(8192));
        assert_eq!(value("4ull * 1024ull * 1024ull + 611ull"), Some(4_194_915));
        assert_eq!(value("1 << 13"), Some(8192));
        assert_eq!(value("static_cast<size_t>(kTwo) * 0x10"), Some(32));
        assert_eq!(value("(unsigned int)8'192u"), Some(8192));
        assert_eq!(value("int(kTwo + 1)"), Some(3));
        assert_eq!(value("kTwo == 2 ? 5 : 7"), Some(5));
        assert_eq!(value("0 && other"), Some(0));
        assert_eq!(value("other"), None);
        assert_eq!(value("1.5f"), None);
        assert_eq!(value("1 2"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_told_or_not(text in "([0-9]|k|\\(|\\)|\\+|-|\\*|/|%|<|>|!|~|\\?|:| |&|\\||static_cast|int|defined){0,60}") {
            value(&text);
        }
    }
}
