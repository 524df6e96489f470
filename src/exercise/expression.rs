//! Small arithmetic over an exercise's constants: lengths, grids, expected values.
//!
//! Evaluated by rhai without its standard packages: whole numbers (64 bits, overflow is an error), `+ - * / %`,
//! comparisons, `ceil_div`, `min`, `max`. No loops, no strings of any length, no definitions.

use std::collections::BTreeMap;
use std::fmt;

use rhai::{Engine, EvalAltResult};

/// Most steps that one expression may take.
const MAX_OPERATIONS: u64 = 1_000;
/// Deepest nesting of parentheses and calls.
const MAX_DEPTH: usize = 16;
/// Longest text of an expression, in bytes.
const MAX_LENGTH: usize = 400;

/// Names and their whole-number values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    values: BTreeMap<String, i64>,
}

impl Scope {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn set(&mut self, name: impl Into<String>, value: i64) {
        self.values.insert(name.into(), value);
    }

    pub fn get(&self, name: &str) -> Option<i64> {
        self.values.get(name).copied()
    }

    /// The same scope with one more name, as a sweep binds it.
    pub fn with(&self, name: &str, value: i64) -> Self {
        let mut scope = self.clone();
        scope.set(name, value);
        scope
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

impl FromIterator<(String, i64)> for Scope {
    fn from_iter<T: IntoIterator<Item = (String, i64)>>(names: T) -> Self {
        Scope { values: names.into_iter().collect() }
    }
}

impl From<&BTreeMap<String, i64>> for Scope {
    fn from(values: &BTreeMap<String, i64>) -> Self {
        Scope { values: values.clone() }
    }
}

/// An expression as an exercise's file writes it, known to parse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    text: String,
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{expression}`: {problem}")]
pub struct ExprError {
    pub expression: String,
    pub problem: String,
}

impl Expr {
    /// # Errors
    /// When the text is not an expression.
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        let fail = |problem: String| ExprError { expression: shorten(text), problem };
        if text.len() > MAX_LENGTH {
            return Err(fail(format!("is longer than {MAX_LENGTH} characters")));
        }
        ENGINE
            .with(|engine| engine.compile_expression(text).map(|_| ()))
            .map_err(|error| fail(format!("is not an expression: {}", error.err_type())))?;
        Ok(Expr { text: text.to_owned() })
    }

    /// A constant expression.
    pub fn number(value: i64) -> Self {
        Expr { text: value.to_string() }
    }

    /// # Errors
    /// An unknown name, an overflow, a division by zero, a value that is no whole number.
    pub fn eval(&self, scope: &Scope) -> Result<i64, ExprError> {
        let mut names = rhai::Scope::new();
        for (name, value) in &scope.values {
            names.push_constant(name.as_str(), *value);
        }
        let result: Result<rhai::Dynamic, _> =
            ENGINE.with(|engine| engine.eval_expression_with_scope(&mut names, &self.text));
        let fail = |problem: String| ExprError { expression: self.text.clone(), problem };
        match result {
            Ok(value) => {
                value.as_int().map_err(|kind| fail(format!("must give a whole number, and gives {kind}")))
            }
            Err(error) => Err(fail(describe(*error, scope))),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// An expression stands wherever its text does.
impl std::ops::Deref for Expr {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn describe(error: EvalAltResult, scope: &Scope) -> String {
    match error {
        EvalAltResult::ErrorVariableNotFound(name, _) => {
            let known: Vec<&str> = scope.names().collect();
            format!("there is no constant `{name}`; known here: {}", known.join(", "))
        }
        EvalAltResult::ErrorFunctionNotFound(call, _) => {
            format!("`{call}` is not offered; there are ceil_div, min, max and + - * / %")
        }
        EvalAltResult::ErrorTooManyOperations(_) => format!("takes more than {MAX_OPERATIONS} steps"),
        EvalAltResult::ErrorArithmetic(what, _) => what,
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => describe(*inner, scope),
        other => other.to_string(),
    }
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 80 {
        text.to_owned()
    } else {
        text.chars().take(77).chain("...".chars()).collect()
    }
}

thread_local! {
    // An engine is not Send and costs a little to make; each thread keeps its own.
    static ENGINE: Engine = engine();
}

fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    engine.set_max_operations(MAX_OPERATIONS);
    engine.set_max_expr_depths(MAX_DEPTH, MAX_DEPTH);
    engine.set_max_string_size(64);
    engine.set_max_array_size(1);
    engine.set_max_map_size(1);
    engine.set_max_call_levels(4);
    for symbol in ["eval", "print", "debug", "import", "fn", "Fn"] {
        engine.disable_symbol(symbol);
    }
    engine.register_fn("ceil_div", |a: i64, b: i64| -> Result<i64, Box<EvalAltResult>> {
        let arithmetic = |what: String| Box::new(EvalAltResult::ErrorArithmetic(what, rhai::Position::NONE));
        if b <= 0 {
            return Err(arithmetic(format!("ceil_div({a}, {b}) divides by a number that is not positive")));
        }
        let quotient = a.div_euclid(b);
        if a.rem_euclid(b) == 0 {
            return Ok(quotient);
        }
        quotient.checked_add(1).ok_or_else(|| arithmetic(format!("ceil_div({a}, {b}) overflows")))
    });
    engine.register_fn("min", |a: i64, b: i64| a.min(b));
    engine.register_fn("max", |a: i64, b: i64| a.max(b));
    engine
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope() -> Scope {
        [("kElems".to_owned(), 8803), ("threads".to_owned(), 32)].into_iter().collect()
    }

    fn value(text: &str) -> Result<i64, String> {
        let expression = Expr::parse(text).map_err(|e| e.to_string())?;
        expression.eval(&scope()).map_err(|e| e.to_string())
    }

    #[test]
    fn arithmetic_over_constants() {
        assert_eq!(value("ceil_div(ceil_div(kElems, threads), 4)"), Ok(69));
        assert_eq!(value("min(kElems, 7) + max(1, 2) * 3 - 10 % 4"), Ok(11));
        assert_eq!(value("ceil_div(9, 3)"), Ok(3));
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let message = value("kElem / 2").unwrap_err();
        assert!(message.contains("no constant `kElem`") && message.contains("kElems, threads"), "{message}");
    }

    #[test]
    fn what_is_not_a_whole_number_is_refused() {
        assert!(value("1.5 * 2.0").unwrap_err().contains("whole number"));
        assert!(value("\"a\"").unwrap_err().contains("whole number"));
        assert!(value("kElems ==").unwrap_err().contains("not an expression"));
        assert!(value("9223372036854775807 + 1").unwrap_err().to_lowercase().contains("overflow"));
        assert!(value("1 / 0").unwrap_err().to_lowercase().contains("division by zero"));
        assert!(value("ceil_div(1, 0)").unwrap_err().contains("not positive"));
        assert!(value("sqrt(4)").unwrap_err().contains("not offered"));
    }

    #[test]
    fn nothing_but_expressions_is_accepted() {
        for text in ["let a = 1; a", "loop {}", "while true {}", "eval(\"1\")", "fn f() { 1 } f()", ""] {
            assert!(value(text).is_err(), "{text} was accepted");
        }
        assert!(value(&"(".repeat(10_000)).is_err());
        assert!(value(&format!("{}1{}", "(".repeat(150), ")".repeat(150))).is_err());
    }
}
