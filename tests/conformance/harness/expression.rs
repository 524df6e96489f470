//! The small language of heads: C's operators over 128-bit integers and doubles.
//!
//! Integers never wrap until they are stored in an element or passed to a cast such as `u32(…)`. Names are `i` (the element's
//! index), the arguments' names (`n`, `a[i]`) and the variable of
//! `sum(j, from, to, term)`, where `to` is left out; so too `xor`, `least` and `greatest`.

use super::value::Value;

#[derive(Debug, Clone)]
pub enum Expression {
    Literal(Value),
    Name(String),
    Index(String, Box<Expression>),
    Unary(char, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Choice(Box<[Expression; 3]>),
    Call(String, Vec<Expression>),
}

/// What names stand for.
pub trait Names {
    fn scalar(&self, name: &str) -> Option<Value>;
    fn element(&self, name: &str, index: i128) -> Option<Value>;
}

/// Binary operators by binding strength, weakest first; a longer one before its prefix.
const OPERATORS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

struct Parser<'a> {
    rest: &'a str,
}

/// Parses one expression, which must be the whole text.
pub fn parse(text: &str) -> Result<Expression, String> {
    let mut parser = Parser { rest: text };
    let expression = parser.choice()?;
    parser.end()?;
    Ok(expression)
}

/// Parses `[a, b, …]`.
pub fn parse_list(text: &str) -> Result<Vec<Expression>, String> {
    let mut parser = Parser { rest: text };
    if !parser.eat("[") {
        return Err(format!("expected a list, found `{text}`"));
    }
    let items = parser.arguments("]")?;
    parser.end()?;
    Ok(items)
}

impl<'a> Parser<'a> {
    fn eat(&mut self, mark: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn end(&mut self) -> Result<(), String> {
        let rest = self.rest.trim();
        if rest.is_empty() { Ok(()) } else { Err(format!("unexpected `{rest}`")) }
    }

    fn choice(&mut self) -> Result<Expression, String> {
        let condition = self.binary(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.choice()?;
        if !self.eat(":") {
            return Err(format!("expected `:` at `{}`", self.rest));
        }
        Ok(Expression::Choice(Box::new([condition, yes, self.choice()?])))
    }

    fn operator(&mut self, level: usize) -> Option<&'static str> {
        self.rest = self.rest.trim_start();
        let operator = OPERATORS[level].iter().find(|o| self.rest.starts_with(**o))?;
        // `&` must not be taken out of `&&`, nor `<` out of `<<`.
        let longer =
            ["||", "&&", "<<", ">>"].iter().any(|l| l.len() > operator.len() && self.rest.starts_with(l));
        if longer {
            return None;
        }
        self.rest = &self.rest[operator.len()..];
        Some(operator)
    }

    fn binary(&mut self, level: usize) -> Result<Expression, String> {
        if level == OPERATORS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(level) {
            left = Expression::Binary(operator, Box::new(left), Box::new(self.binary(level + 1)?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression, String> {
        for operator in ['-', '~', '!'] {
            if self.eat(&operator.to_string()) {
                return Ok(Expression::Unary(operator, Box::new(self.unary()?)));
            }
        }
        if self.eat("(") {
            let inner = self.choice()?;
            return if self.eat(")") { Ok(inner) } else { Err(format!("expected `)` at `{}`", self.rest)) };
        }
        self.rest = self.rest.trim_start();
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) { self.number() } else { self.named() }
    }

    fn take(&mut self, part: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !part(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn number(&mut self) -> Result<Expression, String> {
        let hexadecimal = self.rest.starts_with("0x");
        let mut text = self.take(|c| c.is_ascii_alphanumeric() || c == '.').to_owned();
        if !hexadecimal && text.ends_with('e') && self.rest.starts_with(['-', '+']) {
            text.push_str(self.take(|c| matches!(c, '-' | '+')));
            text.push_str(self.take(|c| c.is_ascii_alphanumeric()));
        }
        let bad = || format!("`{text}` is no number");
        let value = if let Some(digits) = text.strip_prefix("0x") {
            Value::Int(i128::from_str_radix(digits, 16).map_err(|_| bad())?)
        } else if let Some(single) = text.strip_suffix('f') {
            Value::Float(single.parse::<f32>().map_err(|_| bad())?.into())
        } else if text.contains(['.', 'e']) {
            Value::Float(text.parse().map_err(|_| bad())?)
        } else {
            Value::Int(text.parse().map_err(|_| bad())?)
        };
        Ok(Expression::Literal(value))
    }

    fn named(&mut self) -> Result<Expression, String> {
        let name = self.take(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
        if name.is_empty() {
            return Err(format!("expected a value at `{}`", self.rest));
        }
        if self.eat("(") {
            return Ok(Expression::Call(name, self.arguments(")")?));
        }
        if self.eat("[") {
            let mut index = self.arguments("]")?;
            return match index.pop() {
                Some(only) if index.is_empty() => Ok(Expression::Index(name, Box::new(only))),
                _ => Err(format!("`{name}[…]` takes one index")),
            };
        }
        Ok(match &name[..] {
            "nan" => Expression::Literal(Value::Float(f64::NAN)),
            "inf" => Expression::Literal(Value::Float(f64::INFINITY)),
            _ => Expression::Name(name),
        })
    }

    fn arguments(&mut self, close: &str) -> Result<Vec<Expression>, String> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(self.choice()?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(",") {
                return Err(format!("expected `,` or `{close}` at `{}`", self.rest));
            }
        }
    }
}
