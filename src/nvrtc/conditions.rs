//! Whether an `#if` can be a disguised `__has_include`.
//!
//! `#define J(a, b) a##b` and `#if J(__has_, include)("/etc/passwd")` asks for a file without ever naming the
//! operator, and headers have pasting macros of their own. So a condition may not call a macro, nor use one of the
//! program's whose text does; plain constants and `defined(X)` are what exercises need.

use std::collections::{HashMap, HashSet};

use super::include_policy::directive;
use super::lexer::LogicalLine;

/// Operators of conditions that look like calls and tell nothing of files, or are checked elsewhere.
const HARMLESS: [&str; 5] =
    ["defined", "__has_include", "__has_attribute", "__has_builtin", "__has_cpp_attribute"];

/// Names of the program's macros that may not stand in a condition.
pub(super) struct CallingMacros(HashSet<String>);

impl CallingMacros {
    pub fn of(lines: &[LogicalLine]) -> Self {
        let mut bodies: HashMap<String, Vec<String>> = HashMap::new();
        for line in lines {
            let Some(("define", rest)) = directive(&line.text) else { continue };
            let rest = rest.trim_start();
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let (name, body) = rest.split_at(end);
            bodies.entry(name.to_owned()).or_default().push(body.to_owned());
        }
        let mut calling: HashSet<String> = HashSet::new();
        loop {
            let more: Vec<&String> = bodies
                .iter()
                .filter(|(name, texts)| {
                    // A macro with parameters calls as soon as it is used.
                    let calls = |body: &String| body.starts_with('(') || words(body).any(|w| w.bad(&calling));
                    !calling.contains(*name) && texts.iter().any(calls)
                })
                .map(|(name, _)| name)
                .collect();
            if more.is_empty() {
                return CallingMacros(calling);
            }
            calling.extend(more.into_iter().cloned().collect::<Vec<_>>());
        }
    }

    /// Whether the text after `#if` or `#elif` calls anything.
    pub fn call_in(&self, condition: &str) -> bool {
        words(condition).any(|word| word.bad(&self.0))
    }
}

struct Word<'a> {
    text: &'a str,
    called: bool,
}

impl Word<'_> {
    fn bad(&self, calling: &HashSet<String>) -> bool {
        calling.contains(self.text) || (self.called && !HARMLESS.contains(&self.text))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

/// The identifiers of a text, and whether a parenthesis follows. Numbers are not identifiers.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(is_word)?;
        let from = &rest[start..];
        let end = from.find(|c: char| !is_word(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        rest = after;
        Some(Word { text: word, called: after.trim_start().starts_with('(') })
    })
    .filter(|word| !word.text.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::super::lexer::{Reading, logical_lines};
    use super::*;

    fn calls(program: &str, condition: &str) -> bool {
        CallingMacros::of(&logical_lines(program, Reading::ALL[4])).call_in(condition)
    }

    #[test]
    fn conditions_that_exercises_use_are_fine() {
        for fine in
            ["__CUDA_ARCH__ >= 700", "defined(SKIP) && !defined SLOW", "(1 + N) * (2)", "__has_builtin(f)"]
        {
            assert!(!calls("#define N 3\n#define M (N + 1)\n", fine), "{fine}");
        }
    }

    #[test]
    fn a_call_is_seen_through_macros() {
        let program = "#define J(a, b) a##b\n#define P J(__has_,include)(\"/x\")\n#define Q P\n#define R J\n";
        for risky in ["J(__has_,include)(\"/x\")", "_CCCL_PP_CAT(a, b)", "P", "Q", "1 || Q", "R", "J (a, b)"]
        {
            assert!(calls(program, risky), "{risky}");
        }
    }
}
