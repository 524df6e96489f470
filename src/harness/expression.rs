//! Small arithmetic over an exercise's constants: buffer lengths, grids, scalar arguments.

use std::collections::BTreeMap;

use rhai::{Dynamic, Engine, Scope};

/// Names and their values, as an expression sees them.
pub type Environment = BTreeMap<String, i64>;

/// An expression that has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{expression}` has no value: {reason}")]
pub struct ExpressionError {
    pub expression: String,
    pub reason: String,
}

/// Evaluates whole-number expressions: `+ - * / %`, comparisons, parentheses, `ceil_div(a, b)`, `min`, `max`.
/// Overflow and division by zero are errors.
pub struct Evaluator {
    engine: Engine,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator {
    pub fn new() -> Self {
        let mut engine = Engine::new();
        engine.set_max_operations(10_000);
        engine.set_max_expr_depths(32, 32);
        engine.register_fn("ceil_div", |a: i64, b: i64| -> Result<i64, Box<rhai::EvalAltResult>> {
            let whole = a.checked_div(b).ok_or("division by zero")?;
            let rest = a.checked_rem(b).ok_or("division by zero")?;
            Ok(whole + i64::from(rest > 0))
        });
        engine.register_fn("min", |a: i64, b: i64| a.min(b));
        engine.register_fn("max", |a: i64, b: i64| a.max(b));
        Evaluator { engine }
    }

    /// The expression's value over `names`.
    pub fn value(&self, expression: &str, names: &Environment) -> Result<i64, ExpressionError> {
        if let Ok(number) = expression.trim().parse() {
            return Ok(number);
        }
        if let Some(&value) = names.get(expression.trim()) {
            return Ok(value);
        }
        let fail = |reason: String| ExpressionError { expression: expression.to_owned(), reason };
        let mut scope = Scope::new();
        for (name, &value) in names {
            scope.push_constant(name.as_str(), value);
        }
        let value: Dynamic = self
            .engine
            .eval_expression_with_scope(&mut scope, expression)
            .map_err(|error| fail(error.to_string()))?;
        value.as_int().map_err(|kind| fail(format!("a whole number is needed, not {kind}")))
    }
}

/// The names that an expression uses, functions apart.
pub fn names_in(expression: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = expression;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        rest = &rest[start..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        let called = tail.trim_start().starts_with('(');
        if !word.starts_with(|c: char| c.is_ascii_digit()) && !called {
            names.push(word.to_owned());
        }
        rest = tail;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Environment {
        [("kElems".to_owned(), 8803), ("threads".to_owned(), 256)].into()
    }

    #[test]
    fn computes_grids_and_lengths() {
        let e = Evaluator::new();
        assert_eq!(e.value("(kElems + threads - 1) / threads", &names()), Ok(35));
        assert_eq!(e.value("ceil_div(ceil_div(kElems, threads), 4)", &names()), Ok(9));
        assert_eq!(e.value("kElems", &names()), Ok(8803));
        assert_eq!(e.value(" 12 ", &names()), Ok(12));
        assert_eq!(e.value("min(kElems, 5) * max(2, 3)", &names()), Ok(15));
    }

    #[test]
    fn refuses_what_has_no_value() {
        let e = Evaluator::new();
        assert!(e.value("kBlocks * 2", &names()).unwrap_err().reason.contains("kBlocks"));
        assert!(e.value("kElems / 0", &names()).is_err());
        assert!(e.value("9223372036854775807 + kElems", &names()).is_err());
        assert!(e.value("let x = 4; x", &names()).is_err());
        assert!(e.value("1.5", &names()).is_err());
        assert!(e.value("", &names()).is_err());
    }

    #[test]
    fn lists_the_names_it_needs() {
        assert_eq!(names_in("ceil_div(kElems, threads) + 4"), ["kElems", "threads"]);
    }
}
