//! What a buffer must hold: read from a head, compared with what is there.

use super::case::{Argument, ArgumentKind};
use super::expression::{Expression, Names, parse, parse_list};
use super::value::{Element, Tolerance, Value};

/// What a buffer must hold.
#[derive(Debug)]
pub struct Expectation {
    pub buffer: String,
    /// The type that the buffer is looked at as.
    element: Element,
    tolerance: Tolerance,
    /// Order does not matter.
    pub sorted: bool,
    values: Expected,
}

/// Values for a buffer: one formula, or one expression an element.
#[derive(Debug)]
pub enum Expected {
    Each(Expression),
    List(Vec<Expression>),
}

/// Names of arguments, and `i`.
pub struct Scope<'a> {
    pub arguments: &'a [Argument],
    pub index: i128,
}

impl Names for Scope<'_> {
    fn scalar(&self, name: &str) -> Option<Value> {
        if name == "i" {
            return Some(Value::Int(self.index));
        }
        self.arguments.iter().find(|a| a.name == name).and_then(|a| match &a.kind {
            ArgumentKind::Scalar { element, bytes } => Some(element.value(bytes)),
            _ => None,
        })
    }

    fn element(&self, name: &str, index: i128) -> Option<Value> {
        self.arguments.iter().find(|a| a.name == name).and_then(|a| match &a.kind {
            ArgumentKind::Buffer { element, bytes } => {
                let start = usize::try_from(index).ok()?.checked_mul(element.bytes())?;
                bytes.get(start..start + element.bytes()).map(|b| element.value(b))
            }
            _ => None,
        })
    }
}

impl Expectation {
    /// `[sorted] name [as type] [within 2 ulp | within 1e-6] = values`.
    pub fn read(text: &str, arguments: &[Argument]) -> Result<Expectation, String> {
        let (left, values) = text.split_once('=').ok_or("expected `name = values`")?;
        let mut words = left.split_whitespace().peekable();
        let sorted = words.next_if_eq(&"sorted").is_some();
        let buffer = words.next().ok_or("expected a buffer's name")?.to_owned();
        let argument = arguments.iter().find(|a| a.name == buffer).ok_or("there is no such `arg:`")?;
        let ArgumentKind::Buffer { mut element, .. } = argument.kind else {
            return Err("not a buffer".to_owned());
        };
        if words.next_if_eq(&"as").is_some() {
            element = words.next().and_then(Element::named).ok_or("expected a type after `as`")?;
        }
        let mut tolerance = Tolerance::Exact;
        if words.next_if_eq(&"within").is_some() {
            let amount = words.next().ok_or("expected a number after `within`")?;
            tolerance = if words.next_if_eq(&"ulp").is_some() {
                Tolerance::Ulp(amount.parse().map_err(|_| "expected a whole number of ulp")?)
            } else {
                Tolerance::Absolute(amount.parse().map_err(|_| "expected a number after `within`")?)
            };
        }
        if let Some(word) = words.next() {
            return Err(format!("unexpected `{word}`"));
        }
        Ok(Expectation { buffer, element, tolerance, sorted, values: expected(values)? })
    }

    /// Where these bytes of the buffer differ from what is expected.
    pub fn difference(&self, bytes: &[u8], arguments: &[Argument]) -> Result<(), String> {
        let size = self.element.bytes();
        let mut got: Vec<u64> = bytes
            .chunks_exact(size)
            .map(|chunk| {
                let mut wide = [0; 8];
                wide[..size].copy_from_slice(chunk);
                u64::from_le_bytes(wide)
            })
            .collect();
        let mut want = bits_of(&self.values, self.element, got.len(), arguments)
            .map_err(|e| format!("{}: {e}", self.buffer))?;
        if self.sorted {
            got.sort_unstable();
            want.sort_unstable();
        }
        let wrong = |(got, want): (&u64, &u64)| !self.tolerance.allows(self.element, *got, *want);
        let Some(index) = got.iter().zip(&want).position(wrong) else { return Ok(()) };
        let count = got.iter().zip(&want).filter(|pair| wrong(*pair)).count();
        let shown = |bits: u64| {
            let value = match self.element.value(&bits.to_le_bytes()[..size]) {
                Value::Int(v) => v.to_string(),
                other => other.float().to_string(),
            };
            format!("{value} ({bits:#0width$x})", width = 2 + 2 * size)
        };
        let name = &self.buffer;
        Err(format!(
            "{name}[{index}] is {}, expected {}; {count} of {} elements differ",
            shown(got[index]),
            shown(want[index]),
            got.len()
        ))
    }
}

/// Reads a formula, or a list in brackets.
pub fn expected(text: &str) -> Result<Expected, String> {
    let text = text.trim();
    Ok(if text.starts_with('[') { Expected::List(parse_list(text)?) } else { Expected::Each(parse(text)?) })
}

/// The bits of `length` elements.
pub fn bits_of(
    values: &Expected,
    element: Element,
    length: usize,
    arguments: &[Argument],
) -> Result<Vec<u64>, String> {
    let at = |index: usize, expression: &Expression| {
        element.bits(expression.value(&Scope { arguments, index: index as i128 })?)
    };
    match values {
        Expected::Each(expression) => (0..length).map(|index| at(index, expression)).collect(),
        Expected::List(items) if items.len() == length => {
            items.iter().enumerate().map(|(index, item)| at(index, item)).collect()
        }
        Expected::List(items) => Err(format!("{} values for {length} elements", items.len())),
    }
}
