//! Which tokens an unconditional build would see: `#if`, `#ifdef` and their kin, as far as they can be told.

use std::collections::HashMap;

use super::expression::{self, Meaning};
use super::lex::{Lexed, Token, TokenKind};

/// Whether a token is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Active,
    /// Never: under `#if 0`, or under the name of a macro that nothing defines.
    Inactive,
    /// It depends on a macro that the build may set (`SKIP_SYNC`, `__CUDACC_RTC__`); `by_default` when none is set.
    Depends {
        by_default: bool,
    },
}

/// Macros that the build, not the file, decides.
const BUILD_DECIDES: [&str; 6] = [
    "__CUDACC_RTC__",
    "__CUDA_ARCH__",
    "__NVCC__",
    "__CUDACC_VER_MAJOR__",
    "__CUDACC_VER_MINOR__",
    "__has_include",
];

/// The reach of every token of a file. `defines` are names that the exercise's rows may define.
pub(super) fn reach(lexed: &Lexed, defines: &[String]) -> Vec<Reach> {
    let mut walk = Walk { macros: HashMap::new(), defines, stack: Vec::new() };
    lexed.tokens.iter().map(|token| walk.step(lexed, token)).collect()
}

/// One `#if … #endif` being walked.
struct Level {
    /// Reach of the whole conditional.
    outer: Reach,
    /// Reach of the branch being read.
    current: Reach,
    /// Whether a branch before was surely (or by default) taken.
    taken: Option<bool>,
}

struct Walk<'d> {
    /// Object-like macros that the file defines, with their value when it is a number.
    macros: HashMap<String, Option<i128>>,
    defines: &'d [String],
    stack: Vec<Level>,
}

impl Walk<'_> {
    fn here(&self) -> Reach {
        self.stack.last().map_or(Reach::Active, |level| level.current)
    }

    fn step(&mut self, lexed: &Lexed, token: &Token) -> Reach {
        let TokenKind::Directive(index) = token.kind else { return self.here() };
        let directive = &lexed.directives[index];
        let tokens = directive.tokens.as_slice();
        let outer = self.here();
        match directive.name.as_ref() {
            "if" => self.open(outer, self.condition(tokens)),
            "ifdef" => self.open(outer, self.defined(tokens, true)),
            "ifndef" => self.open(outer, self.defined(tokens, false)),
            "elif" => self.branch(self.condition(tokens)),
            "elifdef" => self.branch(self.defined(tokens, true)),
            "elifndef" => self.branch(self.defined(tokens, false)),
            "else" => self.branch((Some(true), true)),
            "endif" => {
                return self.stack.pop().map_or(Reach::Active, |level| level.outer);
            }
            "define" if outer != Reach::Inactive => {
                if let Some(name) = tokens.first() {
                    let function_like = tokens.get(1).is_some_and(|t| t.text == "(" && t.start == name.end);
                    let value = (!function_like).then(|| self.value(&tokens[1..])).flatten();
                    self.macros.insert(name.text.to_string(), value);
                }
            }
            "undef" if outer != Reach::Inactive => {
                if let Some(name) = tokens.first() {
                    self.macros.remove(name.text.as_ref());
                }
            }
            _ => {}
        }
        outer
    }

    /// `(sure, by default)` of a condition.
    fn open(&mut self, outer: Reach, condition: (Option<bool>, bool)) {
        let current = inside(outer, condition);
        let taken = taken_after(Some(false), condition);
        self.stack.push(Level { outer, current, taken });
    }

    fn branch(&mut self, condition: (Option<bool>, bool)) {
        let Some(level) = self.stack.last_mut() else { return };
        let by_default_before = matches!(level.taken, Some(true))
            || (level.taken.is_none()
                && matches!(level.current, Reach::Depends { by_default: true } | Reach::Active));
        let here = match level.taken {
            Some(true) => (Some(false), false),
            Some(false) => condition,
            None => match condition.0 {
                Some(false) => (Some(false), false),
                _ => (None, condition.1 && !by_default_before),
            },
        };
        level.current = inside(level.outer, here);
        level.taken = taken_after(level.taken, condition);
    }

    fn defined(&self, tokens: &[Token], wanted: bool) -> (Option<bool>, bool) {
        let Some(name) = tokens.first() else { return (Some(!wanted), !wanted) };
        match self.is_defined(&name.text) {
            Meaning::Value(v) => (Some((v != 0) == wanted), (v != 0) == wanted),
            // By default the build sets nothing.
            Meaning::Unknown => (None, !wanted),
        }
    }

    fn condition(&self, tokens: &[Token]) -> (Option<bool>, bool) {
        let sure = expression::evaluate(tokens, &|name| self.meaning(name)).map(|v| v != 0);
        let default = expression::evaluate(tokens, &|name| match self.meaning(name) {
            Meaning::Unknown => Meaning::Value(0),
            known => known,
        });
        (sure, sure.unwrap_or(default.is_some_and(|v| v != 0)))
    }

    fn value(&self, tokens: &[Token]) -> Option<i128> {
        expression::evaluate(tokens, &|name| self.meaning(name))
    }

    fn meaning(&self, name: &str) -> Meaning {
        if let Some(name) = name.strip_prefix("defined ") {
            return self.is_defined(name);
        }
        match self.macros.get(name) {
            Some(Some(value)) => Meaning::Value(*value),
            Some(None) => Meaning::Unknown,
            None => match name {
                "__cplusplus" => Meaning::Value(201_703),
                "__CUDACC__" => Meaning::Value(1),
                _ if self.build_decides(name) => Meaning::Unknown,
                _ => Meaning::Value(0),
            },
        }
    }

    fn is_defined(&self, name: &str) -> Meaning {
        if self.macros.contains_key(name)
            || matches!(name, "__CUDACC__" | "__cplusplus" | "__FILE__" | "__LINE__")
        {
            Meaning::Value(1)
        } else if self.build_decides(name) {
            Meaning::Unknown
        } else {
            Meaning::Value(0)
        }
    }

    fn build_decides(&self, name: &str) -> bool {
        BUILD_DECIDES.contains(&name) || self.defines.iter().any(|define| define == name)
    }
}

fn inside(outer: Reach, (sure, by_default): (Option<bool>, bool)) -> Reach {
    match (outer, sure) {
        (Reach::Inactive, _) | (_, Some(false)) => Reach::Inactive,
        (outer, Some(true)) => outer,
        (Reach::Active, None) => Reach::Depends { by_default },
        (Reach::Depends { by_default: outer }, None) => Reach::Depends { by_default: outer && by_default },
    }
}

fn taken_after(before: Option<bool>, (sure, _): (Option<bool>, bool)) -> Option<bool> {
    match (before, sure) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<String> {
        let lexed = Lexed::new(text);
        let reach = reach(&lexed, &["SKIP_SYNC".to_owned()]);
        lexed
            .tokens
            .iter()
            .zip(reach)
            .filter(|(token, reach)| *reach != Reach::Inactive && token.kind == TokenKind::Word)
            .map(|(token, reach)| match reach {
                Reach::Depends { by_default } => format!("{}?{by_default}", token.text),
                _ => token.text.to_string(),
            })
            .collect()
    }

    #[test]
    fn what_can_be_told_is_told() {
        assert_eq!(seen("a\n#if 0\nb\n#else\nc\n#endif\nd"), ["a", "c", "d"]);
        assert_eq!(seen("#define X 1\n#if X && defined(X)\na\n#elif 1\nb\n#else\nc\n#endif"), ["a"]);
        assert_eq!(seen("#ifdef NEVER\na\n#else\nb\n#endif"), ["b"]);
        assert_eq!(seen("#if 0\n#if 1\na\n#endif\n#else\nb\n#endif"), ["b"]);
    }

    #[test]
    fn what_the_build_decides_is_kept_with_its_default() {
        assert_eq!(seen("#ifndef SKIP_SYNC\na\n#else\nb\n#endif\nc"), ["a?true", "b?false", "c"]);
        assert_eq!(seen("#if __CUDA_ARCH__ >= 700\na\n#endif"), ["a?false"]);
        assert_eq!(seen("#ifndef __CUDACC_RTC__\na\n#endif"), ["a?true"]);
    }
}
