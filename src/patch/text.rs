//! A region's text as it is taken over: the student's own lines, without the directives that reach beyond it.

use std::collections::HashSet;
use std::ops::Range;

use super::conditional::Reach;
use super::items::{ItemKind, Source};
use super::lex::{Directive, Lexed, TokenKind};
use super::{reserved, signature};

/// Notices on one text; a flood says no more than its beginning.
const MOST_NOTICES: usize = 40;

/// A text with where it begins, and what was said of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Taken {
    pub text: String,
    pub line: u32,
    /// Kind, line, message.
    pub notices: Vec<(&'static str, u32, String)>,
}

/// Takes a byte range over. What is left out becomes white space, so that lines and columns stay.
///
/// `reserved` are the names that the template uses: a macro must not redefine them.
pub(super) fn take(
    source: &Source,
    range: Range<usize>,
    item: Option<usize>,
    reserved: &HashSet<String>,
) -> Taken {
    let lexed = &source.lexed;
    let mut taken = Taken { line: lexed.line(range.start), ..Taken::default() };
    let mut blanks: Vec<(Range<usize>, &'static str)> = Vec::new();
    if let Some(item) = item.map(|i| &source.items[i])
        && let ItemKind::Function(function) = &item.kind
        && source.start(item) >= range.start
    {
        for (first, last) in signature::attributes(source, item, function) {
            let span = lexed.tokens[first].start..lexed.tokens[last].end;
            let words = &lexed.text[span.clone()];
            if !matches!(words, "static" | "inline" | "extern") && !words.starts_with('"') {
                let message = format!(
                    "`{}` is left out: the grader launches the kernel as the exercise says.",
                    one_line(words)
                );
                taken.notices.push(("attribute-ignored", lexed.line(span.start), message));
            }
            blanks.push((span, ""));
        }
    }
    let first = lexed.tokens.partition_point(|t| t.start < range.start);
    for (index, token) in lexed.tokens.iter().enumerate().skip(first).take_while(|(_, t)| t.end <= range.end)
    {
        if source.reach[index] == Reach::Inactive {
            continue;
        }
        let line = lexed.line(token.start);
        match token.kind {
            TokenKind::Directive(number) => {
                let directive = &lexed.directives[number];
                if let Some((kind, why)) = refusal(directive, reserved) {
                    let shown = one_line(&lexed.text[token.start..token.end]);
                    taken.notices.push((kind, line, format!("`{shown}` {why}")));
                    blanks.push((token.start..token.end, ""));
                }
                for probe in probes(directive) {
                    let message = "`__has_include` is not answered; it counts as false.".to_owned();
                    taken.notices.push(("include-refused", line, message));
                    blanks.push((probe, "0"));
                }
                if asks_architecture(directive) {
                    taken.notices.push(("architecture-dependent", line, ARCHITECTURE.to_owned()));
                }
                if let Some(answered) = answered(directive) {
                    let message =
                        "This asks whether NVRTC compiles it; it is answered as `nvcc` would.".to_owned();
                    taken.notices.push(("grader-detection", line, message));
                    while blanks.last().is_some_and(|(span, _)| span.start >= token.start) {
                        blanks.pop();
                    }
                    blanks.push((token.start..token.end, answered));
                }
            }
            TokenKind::Word if matches!(token.text.as_ref(), "asm" | "__asm__" | "__asm") => {
                let message = "Inline assembly: it is judged by the instructions that it emits.".to_owned();
                taken.notices.push(("inline-assembly", line, message));
            }
            TokenKind::Word if token.text == "_Pragma" => {
                let inner: Vec<&str> =
                    lexed.tokens[index + 1..].iter().take(3).map(|t| t.text.as_ref()).collect();
                if let ["(", text, ")"] = inner[..]
                    && !text.trim_start_matches('"').starts_with("unroll")
                {
                    let message = format!("`_Pragma({})` is left out.", one_line(text));
                    taken.notices.push(("directive-in-region", line, message));
                    blanks.push((token.start..lexed.tokens[index + 3].end, ""));
                }
            }
            _ => {}
        }
    }
    taken.notices.truncate(MOST_NOTICES);
    taken.text = indented(lexed, range, &blanks);
    taken
}

/// The text of a range with its first line's indentation, and the blanks in it made white space.
fn indented(lexed: &Lexed, range: Range<usize>, blanks: &[(Range<usize>, &str)]) -> String {
    let mut out: String = lexed.text[lexed.line_start(range.start)..range.start]
        .chars()
        .take(200)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let mut at = range.start;
    let mut blanks: Vec<_> = blanks.iter().collect();
    blanks.sort_by_key(|(span, _)| span.start);
    for (span, instead) in blanks {
        if span.start < at || span.end > range.end {
            continue;
        }
        out.push_str(&lexed.text[at..span.start]);
        out.push_str(instead);
        let gone = lexed.text[span.clone()].chars().skip(instead.len());
        out.extend(gone.map(|c| if c == '\n' { '\n' } else { ' ' }));
        at = span.end;
    }
    out.push_str(&lexed.text[at..range.end]);
    out
}

/// Why a directive within a region is not taken over: a notice's kind, and the rest of a sentence.
fn refusal(directive: &Directive, reserved: &HashSet<String>) -> Option<(&'static str, &'static str)> {
    let first = directive.tokens.first().map_or("", |t| t.text.as_ref());
    match directive.name.as_ref() {
        "define" | "undef" if reserved::is_reserved(first) || reserved.contains(first) => Some((
            "macro-renames",
            "is left out: it would give another meaning to a name that CUDA or the exercise's program uses.",
        )),
        "define" if directive.tokens.iter().any(|t| t.text.starts_with("__has_")) => {
            Some(("include-refused", "is left out: it asks which files this machine has."))
        }
        "define" | "undef" | "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else"
        | "endif" | "error" | "warning" | "" => None,
        "pragma" if matches!(first, "unroll" | "nounroll") => None,
        "include" | "include_next" | "import" | "embed" => {
            Some(("directive-in-region", "is left out: nothing is included from within a region."))
        }
        "line" => {
            Some(("directive-in-region", "is left out: messages name the lines of your file as it is."))
        }
        _ => Some(("directive-in-region", "is left out.")),
    }
}

/// `__has_include(…)` in a condition.
fn probes(directive: &Directive) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if directive.name == "define" {
        return found;
    }
    for (i, token) in directive.tokens.iter().enumerate() {
        if token.text.starts_with("__has_include") || token.text.starts_with("__has_embed") {
            let close = directive.tokens[i..].iter().find(|t| t.text == ")").unwrap_or(token);
            found.push(token.start..close.end);
        }
    }
    found
}

/// A condition on the compiler, as it holds under `nvcc`, where the condition is that alone; `None` for one that does not
/// ask. What asks in another way counts as false.
fn answered(directive: &Directive) -> Option<&'static str> {
    let asks = |name: &str| directive.tokens.iter().any(|t| t.text == name);
    let (rtc, nvcc) = (asks("__CUDACC_RTC__"), asks("__NVCC__"));
    if !rtc && !nvcc {
        return None;
    }
    let negated = directive.tokens.first().is_some_and(|t| t.text == "!");
    // Under nvcc `__NVCC__` is there and `__CUDACC_RTC__` is not.
    let holds = nvcc && !rtc;
    match directive.name.as_ref() {
        "ifdef" => Some(if holds { "#if 1" } else { "#if 0" }),
        "ifndef" => Some(if holds { "#if 0" } else { "#if 1" }),
        "if" => Some(if holds != negated { "#if 1" } else { "#if 0" }),
        "elif" | "elifdef" => Some(if holds != negated { "#elif 1" } else { "#elif 0" }),
        "elifndef" => Some(if holds { "#elif 0" } else { "#elif 1" }),
        "define" => Some(""),
        _ => None,
    }
}

/// Said of code that differs from card to card.
pub(super) const ARCHITECTURE: &str = "This depends on the architecture of the card (`__CUDA_ARCH__`): only what a build for \
                                       the exercise's own architecture compiles is judged.";

/// Whether a directive makes something depend on the architecture's number, and not only on there being one.
fn asks_architecture(directive: &Directive) -> bool {
    let words: Vec<&str> = directive.tokens.iter().map(|t| t.text.as_ref()).collect();
    let asked = |(i, word): (usize, &&str)| {
        let defined = i.checked_sub(1).and_then(|i| words.get(i)) == Some(&"defined")
            || (i >= 2 && words[i - 1] == "(" && words[i - 2] == "defined");
        *word == "__CUDA_ARCH__" && !defined
    };
    matches!(directive.name.as_ref(), "if" | "elif" | "define") && words.iter().enumerate().any(asked)
}

/// A text on one line, cut to what a message can hold.
pub(super) fn one_line(text: &str) -> String {
    cut(text, 80)
}

/// A text on one line, cut to so many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    let joined = text.replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.chars().count() <= most {
        return joined;
    }
    format!("{} …", joined.chars().take(most - 2).collect::<String>())
}

/// Why a text cannot stand in the middle of another without swallowing what follows: a line of it (1-based) and the reason.
pub(super) fn breaks_out(text: &str, whole_brackets: bool) -> Option<(u32, String)> {
    let lexed = Lexed::new(text);
    if let Some(open) = lexed.unterminated.first() {
        let why = match open.what {
            "comment" => "a comment `/*` begins here and has no `*/`",
            "raw string" => "a raw string begins here and never ends",
            _ => "the last line ends in `\\`, which would join the next line to it",
        };
        return Some((lexed.line(open.at), why.to_owned()));
    }
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut branches: Vec<(usize, Vec<(&str, usize)>)> = Vec::new();
    for token in &lexed.tokens {
        let line = lexed.line(token.start);
        if let TokenKind::Directive(_) = token.kind {
            match token.text.as_ref() {
                "if" | "ifdef" | "ifndef" => {
                    if branches.len() >= 64 || open.len() > 1_000 {
                        return Some((
                            line,
                            "brackets or conditionals stand inside one another far too deep".to_owned(),
                        ));
                    }
                    branches.push((token.start, open.clone()));
                }
                "else" | "elif" | "elifdef" | "elifndef" => match branches.last() {
                    Some((_, before)) => open.clone_from(before),
                    None => return Some((line, format!("`#{}` has no `#if` within the region", token.text))),
                },
                "endif" if branches.pop().is_none() => {
                    return Some((line, "`#endif` has no `#if` within the region".to_owned()));
                }
                _ => {}
            }
            continue;
        }
        if token.kind != TokenKind::Punct {
            continue;
        }
        match token.text.as_ref() {
            bracket @ ("(" | "[") if whole_brackets => open.push((bracket, token.start)),
            "{" => open.push(("{", token.start)),
            close @ (")" | "]" | "}") if close == "}" || whole_brackets => {
                let wants = match close {
                    ")" => "(",
                    "]" => "[",
                    _ => "{",
                };
                if open.pop().map(|(bracket, _)| bracket) != Some(wants) {
                    return Some((line, format!("`{close}` closes nothing")));
                }
            }
            _ => {}
        }
    }
    if let Some((at, _)) = branches.first() {
        return Some((lexed.line(*at), "this `#if` has no `#endif` within the region".to_owned()));
    }
    let (bracket, at) = open.last()?;
    let why = match open.len() {
        1 => format!("`{bracket}` is never closed"),
        count => format!("{count} brackets are still open at its end, the last of them a `{bracket}`"),
    };
    Some((lexed.line(*at), why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> Taken {
        let source = Source::new(text, &[]);
        take(&source, 0..text.len(), Some(0), &HashSet::from(["tile".to_owned()]))
    }

    #[test]
    fn lines_and_columns_stay() {
        let got = taken(
            "static __global__ void __launch_bounds__(1) k() {\n#line 9 \"x\"\n#define F() __threadfence()\n#define tile 1\n}",
        );
        let lines: Vec<&str> = got.text.split('\n').collect();
        let want = [
            "       __global__ void                      k() {",
            &" ".repeat(11),
            "#define F() __threadfence()",
            &" ".repeat(14),
            "}",
        ];
        assert_eq!(lines, want);
        let kinds: Vec<&str> = got.notices.iter().map(|n| n.0).collect();
        assert_eq!(kinds, ["attribute-ignored", "directive-in-region", "macro-renames"]);
    }

    #[test]
    fn probing_counts_as_false() {
        let got = taken("void k() {\n#if __has_include(\"/etc/passwd\")\nx;\n#endif\n}");
        assert!(got.text.contains("#if 0 ") && !got.text.contains("passwd"));
    }

    #[test]
    fn the_compiler_is_asked_for_as_nvcc_would_answer() {
        let got = taken(
            "void k() {\n#ifdef __CUDACC_RTC__\ngood();\n#elif !defined(__CUDACC_RTC__)\nbad();\n#endif\n}",
        );
        let lines: Vec<&str> = got.text.lines().map(str::trim_end).collect();
        assert_eq!(lines, ["void k() {", "#if 0", "good();", "#elif 1", "bad();", "#endif", "}"]);
        assert_eq!(got.notices[0].0, "grader-detection");
    }

    #[test]
    fn what_breaks_out_is_told_with_its_line() {
        let line = |text| breaks_out(text, true).map(|(line, _)| line);
        assert_eq!(line("a {\n b }"), None);
        assert_eq!(line("a\n } {"), Some(2));
        assert_eq!(line("a {\n/* x\n }"), Some(2));
        assert_eq!(line("#if X\n{\n#else\n{\n#endif\n}"), None);
        assert_eq!(line("x\n#if X\n"), Some(2));
        assert_eq!(line("#else"), Some(1));
        assert_eq!(line("x(1"), Some(1));
        assert_eq!(line("x // \\"), Some(1));
        assert_eq!(line("'{' \"{\" // {\n"), None);
    }
}
