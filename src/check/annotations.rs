//! Annotations for provers (`__requires(…)`, `__invariant(…)`), which are no CUDA: they are left out.
//!
//! Files of verification tools' test suites have them in kernels that are otherwise plain CUDA. The checker runs a
//! kernel on the inputs that it is given, so that preconditions are the caller's business and invariants are not used.

use std::collections::BTreeSet;

/// Beginnings of the annotations' names.
const NAMES: &[&str] = &[
    "__requires",
    "__ensures",
    "__invariant",
    "__assume",
    "__assert",
    "__global_requires",
    "__global_ensures",
    "__global_invariant",
    "__global_assert",
    "__function_wide_",
    "__barrier_invariant",
    "__candidate_",
    "__reads_from",
    "__writes_to",
    "__modifies",
    "__non_temporal",
    "__ESBMC_assume",
    "__VERIFIER_assume",
    "__VERIFIER_assert",
];

/// Definitions that make nothing of the annotations which `text` uses and does not define.
pub fn annotations(text: &str) -> String {
    if !NAMES.iter().any(|name| text.contains(name)) {
        return String::new();
    }
    let mut used = BTreeSet::new();
    let mut own = BTreeSet::new();
    let mut before = "";
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let tail = &rest[start..];
        let end = tail.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(tail.len());
        let (word, after) = tail.split_at(end);
        if NAMES.iter().any(|name| word.starts_with(name)) {
            // Behind a type or `define` it is a definition of the file's own.
            let defined = matches!(before, "define" | "void" | "bool" | "int" | "inline" | "__device__");
            if defined {
                own.insert(word);
            } else if after.trim_start().starts_with('(') {
                used.insert(word);
            }
        }
        before = word;
        rest = after;
    }
    used.difference(&own).map(|name| format!("#define {name}(...) ((void)0)\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_used_and_not_the_files_own_is_defined() {
        let text = "#define __assume(x) x\n__global__ void k(int n) { __requires(n == 3); __assume(n); \
                    for (; __invariant(n), n < 2;) {} }";
        assert_eq!(
            annotations(text),
            "#define __invariant(...) ((void)0)\n#define __requires(...) ((void)0)\n"
        );
        assert_eq!(annotations("__global__ void k() { assert(1); }"), "");
    }
}
