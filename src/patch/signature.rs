//! A function's signature: what must match the template's, and what may differ.

use super::items::{Function, Item, Source};

/// A signature, normalised: parameter names, `__restrict__`, `volatile`, and the spelling of types do not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    pub result: String,
    pub params: Vec<String>,
    pub template: bool,
}

/// Reads the signature of a function.
pub(super) fn signature(source: &Source, item: &Item, function: &Function) -> Signature {
    let text = |i: usize| source.lexed.tokens[i].text.as_ref();
    let result: Vec<&str> = head_words(source, item, function).into_iter().map(text).collect();
    let (open, close) = function.params;
    let mut params = Vec::new();
    let mut current: Vec<&str> = Vec::new();
    let mut depth = 0usize;
    for i in open + 1..close {
        match text(i) {
            "," if depth == 0 => params.push(std::mem::take(&mut current)),
            word => {
                match word {
                    "(" | "<" | "[" => depth += 1,
                    ")" | ">" | "]" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                current.push(word);
            }
        }
    }
    if !current.is_empty() {
        params.push(current);
    }
    let mut params: Vec<String> = params.iter().map(|p| parameter_type(p)).collect();
    if params == ["void"] {
        params.clear();
    }
    Signature {
        result: type_words(&result).join(" "),
        params,
        template: function.template || function.specialised,
    }
}

/// Token indices of the result's type: the head without specifiers and attributes.
fn head_words(source: &Source, item: &Item, function: &Function) -> Vec<usize> {
    let mut words = Vec::new();
    let attributes = attributes(source, item, function);
    for i in item.first..function.name {
        if attributes.iter().any(|&(first, last)| (first..=last).contains(&i)) {
            continue;
        }
        let text = source.lexed.tokens[i].text.as_ref();
        if !matches!(
            text,
            "__global__" | "__device__" | "__host__" | "__forceinline__" | "__inline__" | "constexpr"
        ) {
            words.push(i);
        }
    }
    words
}

/// Token ranges, inclusive, of what a region's head may carry and the grader does not take: attributes, linkage.
pub(super) fn attributes(source: &Source, item: &Item, function: &Function) -> Vec<(usize, usize)> {
    let text = |i: usize| source.lexed.tokens.get(i).map_or("", |t| t.text.as_ref());
    let mut found = Vec::new();
    let mut i = item.first;
    while i < function.name {
        let last = match text(i) {
            "static" | "inline" | "extern" | "__inline__" | "__forceinline__" | "__noinline__" => i,
            literal if literal.starts_with('"') => i,
            "__launch_bounds__" | "__cluster_dims__" | "__block_size__" | "__maxnreg__" | "__attribute__"
            | "alignas" | "__declspec" | "__nv_pure__" => close_of(source, i + 1, "(", ")").unwrap_or(i),
            "[" if text(i + 1) == "[" => close_of(source, i, "[", "]").unwrap_or(i),
            _ => {
                i += 1;
                continue;
            }
        };
        found.push((i, last.min(function.name - 1)));
        i = last + 1;
    }
    found
}

fn close_of(source: &Source, open: usize, left: &str, right: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (i, token) in source.lexed.tokens.iter().enumerate().skip(open).take(200) {
        match token.text.as_ref() {
            t if t == left => depth += 1,
            t if t == right => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// A parameter's type: without its name and default, arrays as pointers.
fn parameter_type(words: &[&str]) -> String {
    let end = words.iter().position(|w| *w == "=").unwrap_or(words.len());
    let mut words: Vec<&str> = words[..end].to_vec();
    let mut pointer = false;
    if let Some(bracket) = words.iter().position(|w| *w == "[") {
        words.truncate(bracket);
        pointer = true;
    }
    let is_word = |w: &str| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if let Some(last) = words.last()
        && is_word(last)
        && !is_type_word(last)
        && words.len() > 1
        && words[..words.len() - 1].iter().any(|w| is_word(w) && !is_qualifier(w))
        && words[words.len() - 2] != "::"
    {
        words.pop();
    }
    if pointer {
        words.push("*");
    }
    let normal = type_words(&words);
    // `const` on the parameter itself is the function's own affair.
    let own_const =
        normal.len() > 1 && normal.last().is_some_and(|w| w == "const") && normal.contains(&"*".to_owned());
    let kept = normal.len() - usize::from(own_const);
    let by_value = !normal.iter().any(|w| matches!(w.as_str(), "*" | "&"));
    normal[..kept].iter().filter(|w| !(by_value && *w == "const")).cloned().collect::<Vec<_>>().join(" ")
}

fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const" | "volatile" | "__restrict__" | "__restrict" | "restrict" | "__grid_constant__" | "register"
    )
}

fn is_type_word(word: &str) -> bool {
    is_qualifier(word)
        || matches!(
            word,
            "void"
                | "int"
                | "unsigned"
                | "signed"
                | "long"
                | "short"
                | "char"
                | "float"
                | "double"
                | "bool"
                | "size_t"
                | "uint"
                | "uint32_t"
                | "uint64_t"
                | "int32_t"
                | "int64_t"
                | "half"
                | "auto"
        )
}

/// Words of a type in one order and one spelling: `float const *` is `const float *`, `unsigned` is `unsigned int`.
fn type_words(words: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    let mut level: Vec<&str> = Vec::new();
    for word in words.iter().copied() {
        match word {
            "*" | "&" | "&&" => {
                out.extend(base(&level));
                level.clear();
                out.push(word.to_owned());
            }
            "volatile" | "__restrict__" | "__restrict" | "restrict" | "std" | "::" | "register"
            | "struct" => {}
            _ => level.push(word),
        }
    }
    out.extend(base(&level));
    out
}

fn base(level: &[&str]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    if level.contains(&"const") {
        out.push("const".to_owned());
    }
    let mut rest: Vec<&str> = level.iter().copied().filter(|w| *w != "const").collect();
    let count = |word: &str| rest.iter().filter(|w| **w == word).count();
    let arithmetic =
        rest.iter().all(|w| matches!(*w, "unsigned" | "signed" | "int" | "long" | "short" | "char"));
    if arithmetic && !rest.is_empty() {
        let sign = if count("unsigned") > 0 { "unsigned " } else { "" };
        let size = match (count("long"), count("short"), count("char")) {
            (0, 0, 0) => "int",
            (0, _, 0) => "short",
            (0, 0, _) => "char",
            _ if sign.is_empty() => "long",
            _ => return out.into_iter().chain(["size_t".to_owned()]).collect(),
        };
        out.push(format!("{sign}{size}"));
        return out;
    }
    for word in &mut rest {
        *word = match *word {
            "uint" | "uint32_t" | "cuda_uint" => "unsigned int",
            "int32_t" => "int",
            "uint64_t" => "size_t",
            "int64_t" => "long",
            other => other,
        };
    }
    out.extend(rest.iter().map(|w| (*w).to_owned()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::items::ItemKind;

    fn of(text: &str) -> Signature {
        let source = Source::new(text, &[]);
        let item = source.items.iter().find(|i| matches!(i.kind, ItemKind::Function(_))).unwrap();
        let ItemKind::Function(function) = &item.kind else { unreachable!() };
        signature(&source, item, function)
    }

    #[test]
    fn spelling_and_names_do_not_count() {
        let want =
            of("__global__ void k(const float* in, float* partials, unsigned int* counter, size_t n) {}");
        for same in [
            "extern \"C\" __global__ void __launch_bounds__(256, 2) k(float const *x, float * __restrict__ y, unsigned* z, std::size_t m) {}",
            "__global__ static void k(const float in[], volatile float* const partials, volatile unsigned int *, unsigned long long n) {}",
        ] {
            assert_eq!(of(same), want, "{same}");
        }
    }

    #[test]
    fn types_do() {
        let want = of("__global__ void k(const float* in, int n) {}");
        for other in [
            "__global__ void k(float* in, int n) {}",
            "__global__ void k(const float* in, unsigned n) {}",
            "__global__ void k(const float* in) {}",
            "__global__ void k(const double* in, int n) {}",
            "__global__ int k(const float* in, int n) {}",
            "template <int N> __global__ void k(const float* in, int n) {}",
            "__global__ void k(int n, const float* in) {}",
        ] {
            assert_ne!(of(other), want, "{other}");
        }
    }
}
