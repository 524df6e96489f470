//! Two texts of one region, compared: the same words, the same but for names and spelling, or different.
//!
//! A student may start from the course's own program or from this project's template. Both have the same kernels, worded
//! differently, so "edited" must not mean "worded differently": locals' names are matched first, and for a file that is
//! not made from our template, casts, parentheses and the order of operands do not count either.

use std::collections::{HashMap, HashSet};

use super::items::Source;
use super::lex::TokenKind;
use super::{find, reserved};

/// A word of a region with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    pub line: u32,
    pub kind: TokenKind,
}

/// The words of a byte range.
pub(super) fn words(source: &Source, start: usize, end: usize) -> Vec<Word> {
    let Some((first, last)) = find::tokens_between(source, start, end) else { return Vec::new() };
    let texts = find::words(source, first, last);
    let tokens = &source.lexed.tokens[first..=last];
    texts
        .into_iter()
        .zip(tokens)
        .map(|(text, token)| Word { text, line: source.lexed.line(token.start), kind: token.kind })
        .collect()
}

/// `theirs` with its locals called as in `ours`, where a local of one stands as a local of the other does.
///
/// `fixed` are names that are no locals: they stay.
pub(super) fn renamed(ours: &[Word], theirs: &[Word], fixed: &HashSet<String>) -> Vec<Word> {
    let our_names = local_names(ours, fixed);
    let their_names = local_names(theirs, fixed);
    let ours_have: HashSet<&str> = our_names.iter().map(|(name, _)| *name).collect();
    let theirs_have: HashSet<&str> = their_names.iter().map(|(name, _)| *name).collect();
    let mut free: Vec<&(&str, Context)> =
        our_names.iter().filter(|(name, _)| !theirs_have.contains(name)).collect();
    let mut map: HashMap<&str, &str> = HashMap::new();
    for (name, context) in their_names.iter().filter(|(name, _)| !ours_have.contains(name)) {
        if let Some(at) = free.iter().position(|(_, other)| other == context) {
            map.insert(name, free.remove(at).0);
        }
    }
    let mut out = theirs.to_vec();
    for (i, word) in out.iter_mut().enumerate() {
        if is_local_at(theirs, i, fixed)
            && let Some(name) = map.get(theirs[i].text.as_str())
        {
            word.text = (*name).to_owned();
        }
    }
    out
}

/// What stands around a name where it is first seen: the words before and after it.
type Context = (String, String);

/// Local names with the context of their first use, in order.
fn local_names<'w>(words: &'w [Word], fixed: &HashSet<String>) -> Vec<(&'w str, Context)> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for (i, word) in words.iter().enumerate() {
        if is_local_at(words, i, fixed) && seen.insert(word.text.as_str()) {
            let near =
                |j: Option<usize>| j.and_then(|j| words.get(j)).map_or("", |w| w.text.as_str()).to_owned();
            names.push((word.text.as_str(), (near(i.checked_sub(1)), near(Some(i + 1)))));
        }
    }
    names
}

fn is_local_at(words: &[Word], i: usize, fixed: &HashSet<String>) -> bool {
    let word = &words[i];
    let before = i.checked_sub(1).map_or("", |j| words[j].text.as_str());
    let after = words.get(i + 1).map_or("", |w| w.text.as_str());
    word.kind == TokenKind::Word
        && !matches!(before, "." | "->" | "::")
        && !matches!(after, "(" | "::")
        && !fixed.contains(&word.text)
        && !reserved::is_reserved(&word.text)
}

/// Whether two texts are the same words.
pub(super) fn same(ours: &[Word], theirs: &[Word]) -> bool {
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| a.text == b.text)
}

/// Whether two texts are the same statements, but for casts, parentheses, suffixes and the order of operands.
pub(super) fn alike(ours: &[Word], theirs: &[Word]) -> bool {
    let (a, b) = (statements(ours), statements(theirs));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.loose == b.loose)
}

/// A statement, or the head of one, or a brace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// Its words in order, joined.
    pub exact: String,
    /// Its words without those that hardly count, sorted.
    pub loose: String,
    pub line: u32,
    pub last_line: u32,
}

/// Splits words into statements. A statement without braces after `if`, `for`, `while` or `else` gets them.
pub(super) fn statements(words: &[Word]) -> Vec<Statement> {
    let aliases = aliases(words);
    let mut splitter =
        Splitter { out: Vec::new(), current: Vec::new(), braces: 0, made_up: Vec::new(), aliases };
    let mut depth = 0usize;
    for (i, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        match text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if matches!(word.kind, TokenKind::Directive(_)) {
            splitter.flush();
            splitter.push(text, word.line);
        } else if depth == 0 && text == "{" {
            splitter.flush();
            splitter.push(text, word.line);
            splitter.braces += 1;
        } else if depth == 0 && text == "}" {
            splitter.flush();
            splitter.push(text, word.line);
            splitter.braces = splitter.braces.saturating_sub(1);
            splitter.close_made_up(word.line);
        } else {
            splitter.current.push(word);
            let head = splitter.current[0].text.as_str();
            let head_ends =
                depth == 0 && (text == "else" || (text == ")" && matches!(head, "if" | "for" | "while")));
            if head_ends {
                splitter.flush();
                let next = words.get(i + 1).map_or("", |w| w.text.as_str());
                if !matches!(next, "{" | ";" | "") {
                    splitter.push("{", word.line);
                    splitter.made_up.push(splitter.braces);
                }
            } else if depth == 0 && text == ";" {
                splitter.flush();
                splitter.close_made_up(word.line);
            }
        }
    }
    splitter.flush();
    splitter.out
}

struct Splitter<'w> {
    out: Vec<Statement>,
    current: Vec<&'w Word>,
    /// Braces of the text that are open.
    braces: usize,
    /// For each brace that is made up and open, how many of the text's were open then.
    made_up: Vec<usize>,
    aliases: HashMap<String, [String; 3]>,
}

impl Splitter<'_> {
    fn push(&mut self, text: &str, line: u32) {
        self.out.push(Statement { exact: text.to_owned(), loose: text.to_owned(), line, last_line: line });
    }

    /// A statement ends what was opened for it: `if (a) for (…) x;`.
    fn close_made_up(&mut self, line: u32) {
        while self.made_up.last() == Some(&self.braces) {
            self.made_up.pop();
            self.push("}", line);
        }
    }

    fn flush(&mut self) {
        let words = std::mem::take(&mut self.current);
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        let exact = words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
        let loose = loose(&words, &self.aliases);
        self.out.push(Statement { exact, loose, line: first.line, last_line: last.line });
    }
}

/// A statement's words without those that hardly count, sorted.
fn loose(words: &[&Word], aliases: &HashMap<String, [String; 3]>) -> String {
    let text = |i: usize| words.get(i).map_or("", |w| w.text.as_str());
    let mut kept: Vec<&str> = Vec::new();
    let mut i = 0;
    while i < words.len() {
        match text(i) {
            "(" | ")" | ";" | "const" | "size_t" | "std" | "::" | "unsigned" | "int" | "auto" | "float" => {}
            "static_cast" => {
                while i + 1 < words.len() && text(i + 1) != "(" {
                    i += 1;
                }
            }
            // `x > 0` and `x != 0` of an unsigned.
            ">" | "!=" if number(text(i + 1)) == "0" => kept.push("!="),
            word => match aliases.get(word) {
                Some(meaning) if text(i + 1) != "=" => kept.extend(meaning.iter().map(String::as_str)),
                _ => kept.push(number(word)),
            },
        }
        i += 1;
    }
    kept.sort_unstable();
    kept.join(" ")
}

/// A number without its suffixes.
fn number(text: &str) -> &str {
    if text.starts_with(|c: char| c.is_ascii_digit()) && !text.starts_with("0x") {
        text.trim_end_matches(['u', 'U', 'l', 'L', 'f', 'F'])
    } else {
        text
    }
}

/// `const unsigned int tid = threadIdx.x;`: names that only repeat a built-in one.
fn aliases(words: &[Word]) -> HashMap<String, [String; 3]> {
    let mut found = HashMap::new();
    for window in words.windows(6) {
        let texts: Vec<&str> = window.iter().map(|w| w.text.as_str()).collect();
        if let [name, "=", builtin @ ("threadIdx" | "blockIdx" | "blockDim" | "gridDim"), ".", axis, ";"] =
            texts[..]
        {
            found.insert(name.to_owned(), [builtin.to_owned(), ".".to_owned(), axis.to_owned()]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Word> {
        words(&Source::new(text, &[]), 0, text.len())
    }

    fn compare(ours: &str, theirs: &str) -> (bool, bool) {
        let (a, b) = (of(ours), of(theirs));
        let b = renamed(&a, &b, &HashSet::from(["partials".to_owned(), "other".to_owned()]));
        (same(&a, &b), alike(&a, &b))
    }

    #[test]
    fn names_of_locals_do_not_count() {
        assert_eq!(
            compare("float mine = 0.0f; mine += in[i];", "float sum = 0.0f; sum += in[i];"),
            (true, true)
        );
        assert!(!compare("x = partials[0];", "x = other[0];").0);
        assert!(!compare("__threadfence();", "__syncthreads();").1);
    }

    #[test]
    fn spelling_does_not_count_where_it_need_not() {
        let ours =
            "const unsigned t = threadIdx.x; size_t s = static_cast<size_t>(gridDim.x) * blockDim.x + t;";
        let theirs = "const unsigned t = threadIdx.x; size_t s = gridDim.x * static_cast<size_t>(blockDim.x) + threadIdx.x;";
        assert_eq!(compare(ours, theirs), (false, true));
        assert!(compare("for (; w != 0u; ) { }", "for (; w > 0; ) { }").1);
        assert!(compare("if (a) { b(); }", "if (a) b();").1);
    }

    #[test]
    fn order_and_guards_do() {
        assert!(!compare("if (a) { b(); } c();", "if (a) { b(); c(); }").1);
        assert!(!compare("f(); g();", "g(); f();").1);
    }
}
