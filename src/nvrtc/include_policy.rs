//! Which headers a program may include: the exercise's list, and nothing else of this machine.
//!
//! NVRTC opens any path that it can read and quotes it in its log, and `__has_include` tells whether one exists.
//! So an `#include` (or `#embed`, `#import`) is refused unless its target is a header on the list, written out; a
//! target made by a macro is refused for being one. Every [`Reading`] of the text is looked at, and what any of them
//! refuses is refused. Lines that NVRTC skips, under `#ifndef __CUDACC_RTC__`, are the host's part and may include
//! what they like. The worker's sandbox stands behind this.

use super::conditions::CallingMacros;
use super::lexer::{LogicalLine, Reading, logical_lines};
use crate::record::Diagnostic;

/// An include that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// After `#line`, so the student's own.
    pub file: String,
    pub line: u32,
    pub message: String,
}

impl From<Refusal> for Diagnostic {
    fn from(refusal: Refusal) -> Self {
        Diagnostic {
            level: "error".to_owned(),
            file: refusal.file,
            line: refusal.line,
            message: refusal.message,
            text: String::new(),
        }
    }
}

/// The macro that NVRTC defines and nvcc does not.
const RTC: &str = "__CUDACC_RTC__";

/// Includes in `source` that `allowed` does not list. `name` is the file's name outside any `#line`.
pub fn refused_includes(source: &str, name: &str, allowed: &[String]) -> Vec<Refusal> {
    let mut all: Vec<Refusal> = Vec::new();
    for reading in Reading::ALL {
        let lines = logical_lines(source, reading);
        for refusal in refused_in(&lines, name, allowed) {
            if !all.iter().any(|seen| seen.file == refusal.file && seen.line == refusal.line) {
                all.push(refusal);
            }
        }
    }
    all
}

fn refused_in(lines: &[LogicalLine], name: &str, allowed: &[String]) -> Vec<Refusal> {
    // A program that redefines the macro makes the skipped lines live again.
    let trusts_rtc = !lines.iter().any(|line| {
        line.text.contains(RTC) && !directive(&line.text).is_some_and(|(word, _)| is_conditional(word))
    });
    let mut place = Place { file: name.to_owned(), offset: 0 };
    let mut conditions = Conditions::default();
    let macros = CallingMacros::of(lines);
    let mut refused = Vec::new();
    for line in lines {
        let found = directive(&line.text);
        if let Some((word, rest)) = found
            && trusts_rtc
            && is_conditional(word)
        {
            conditions.step(word, rest, line.in_raw_string);
        }
        if conditions.skipped() {
            continue;
        }
        if let Some(message) = refuse(&line.text, found, &macros, allowed) {
            refused.push(Refusal { file: place.file.clone(), line: place.line(line.number), message });
        }
        if let Some(("line", rest)) = found
            && !line.in_raw_string
        {
            place.step(rest, line.number);
        }
    }
    refused
}

/// Why a line is refused, if it is.
fn refuse(
    line: &str,
    directive: Option<(&str, &str)>,
    macros: &CallingMacros,
    allowed: &[String],
) -> Option<String> {
    match directive {
        Some(("include", rest)) => return refuse_target(rest, allowed),
        Some((word @ ("include_next" | "import" | "embed"), _)) => {
            return Some(format!("`#{word}` is not allowed in an exercise"));
        }
        Some((word @ ("if" | "elif"), rest)) if macros.call_in(rest) => {
            return Some(format!("a condition (`#{word}`) may not call a macro in an exercise"));
        }
        _ => {}
    }
    ["__has_include", "__has_embed"].iter().find(|word| line.contains(*word)).and_then(|word| {
        // Asking for a header that may be included anyway tells nothing.
        let asked = line.split(word).skip(1);
        let harmless = |rest: &str| {
            let inside = rest.trim_start().strip_prefix('(').unwrap_or("");
            inside.split_once(')').is_some_and(|(target, _)| refuse_target(target, allowed).is_none())
        };
        let all_harmless = *word == "__has_include" && asked.into_iter().all(harmless);
        (!all_harmless).then(|| format!("`{word}` may only ask for headers that this exercise allows"))
    })
}

fn refuse_target(target: &str, allowed: &[String]) -> Option<String> {
    let target = target.trim();
    let named = target
        .strip_prefix('<')
        .and_then(|t| t.strip_suffix('>'))
        .or_else(|| target.strip_prefix('"').and_then(|t| t.strip_suffix('"')));
    let Some(header) = named else {
        return Some(
            "an include must name its header itself, as in `#include <cuda/atomic>`, not through a macro"
                .into(),
        );
    };
    if allowed.iter().any(|a| a == header.trim()) {
        return None;
    }
    let list = match allowed {
        [] => "it allows none".to_owned(),
        list => format!("allowed: {}", list.iter().map(|h| format!("<{h}>")).collect::<Vec<_>>().join(", ")),
    };
    Some(format!("this exercise does not allow including `{target}` ({list})"))
}

/// The directive's word and the rest of the line; digraphs and trigraphs count, whatever the compiler makes of them.
pub(super) fn directive(line: &str) -> Option<(&str, &str)> {
    let odd =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}');
    let line = line.trim_start_matches(odd);
    let rest = ["#", "%:", "??="].iter().find_map(|mark| line.strip_prefix(mark))?.trim_start_matches(odd);
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    Some(rest.split_at(end))
}

fn is_conditional(word: &str) -> bool {
    matches!(word, "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif")
}

/// Which of the open conditionals NVRTC is known to skip.
#[derive(Default)]
struct Conditions {
    /// For each open conditional: whether its present group is skipped, and whether its `#else` would be.
    open: Vec<(bool, bool)>,
}

impl Conditions {
    /// In what may be a raw string, only what makes fewer lines skipped is followed.
    fn step(&mut self, word: &str, rest: &str, in_raw_string: bool) {
        let condition: String = rest.split_whitespace().collect();
        let defined = [format!("defined({RTC})"), format!("defined{RTC}")];
        let not_defined = defined.each_ref().map(|text| format!("!{text}"));
        match word {
            "if" | "ifdef" | "ifndef" if in_raw_string => {}
            "ifndef" => self.open.push((condition == RTC, false)),
            "ifdef" => self.open.push((false, condition == RTC)),
            "if" => self.open.push((not_defined.contains(&condition), defined.contains(&condition))),
            "endif" => {
                self.open.pop();
            }
            "else" => {
                if let Some(last) = self.open.last_mut() {
                    *last = (last.1 && !in_raw_string, false);
                }
            }
            _ => {
                if let Some(last) = self.open.last_mut() {
                    *last = (false, false);
                }
            }
        }
    }

    fn skipped(&self) -> bool {
        self.open.iter().any(|(skipped, _)| *skipped)
    }
}

/// Where a physical line is, after `#line`.
struct Place {
    file: String,
    offset: i64,
}

impl Place {
    fn line(&self, number: u32) -> u32 {
        u32::try_from(i64::from(number) + self.offset).unwrap_or(0)
    }

    fn step(&mut self, rest: &str, number: u32) {
        let rest = rest.trim();
        let (digits, file) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let Ok(next) = digits.parse::<u32>() else { return };
        self.offset = i64::from(next) - i64::from(number) - 1;
        if let Some(file) = file.trim().strip_prefix('"').and_then(|f| f.strip_suffix('"')) {
            self.file = file.replace("\\\"", "\"").replace("\\\\", "\\");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(source: &str) -> Vec<(String, u32)> {
        let allowed = ["cuda/atomic".to_owned()];
        refused_includes(source, "a.cu", &allowed).into_iter().map(|r| (r.file, r.line)).collect()
    }

    #[test]
    fn the_allowed_header_passes_in_either_quotes() {
        assert_eq!(refused("#include <cuda/atomic>\n # include \"cuda/atomic\" // yes\n"), []);
    }

    #[test]
    fn every_disguise_of_an_include_is_refused() {
        for hostile in [
            "#include \"/etc/passwd\"",
            "#include <../../../../etc/passwd>",
            "#include <cuda/../cuda/atomic>",
            "  %:include </etc/passwd>",
            "??=include </etc/passwd>",
            "#/* x */include /* y */ </etc/passwd>",
            "#inc\\\nlude </etc/passwd>",
            "#inc\\  \nlude </etc/passwd>",
            "#inc??/\nlude </etc/passwd>",
            "// comment \\ \n#include </etc/passwd>",
            "// comment \\\n\n#include </etc/passwd>",
            "// comment \r#include </etc/passwd>",
            "/* comment */ #include </etc/passwd>",
            "\u{feff}#include </etc/passwd>",
            "#define F \"/etc/passwd\"\n#include F",
            "#include __FILE__",
            "#embed \"/etc/passwd\"",
            "#include_next <passwd>",
            "#import \"/etc/passwd\"",
            "#if __has_include(\"/etc/passwd\")\n#endif",
            "#if __has_include(<cuda/atomic>) && __has_include(\"/etc/passwd\")\n#endif",
            "#define ASK __has_include\n",
            "#if __has_include(<cuda/atomic>) && CAT(__has_,include)(\"/etc/passwd\")\n#endif",
            "#define J(a, b) a##b\n#if J(__has_,include)(\"/etc/passwd\")\n#endif",
            "#if _CCCL_PP_CAT(__has_,include)(\"/etc/passwd\")\n#endif",
            "int a = 1'0; /* ' */\n#include </etc/passwd>\nint b = 1'0;",
            "char c = '\"'; // \"\n#include </etc/passwd>",
            "auto s = R\"(\n#include </etc/passwd>\n)\";",
            "auto s = R\"x( /* )x\";\n#include </etc/passwd>\n// */",
            "#if 0\nR\"(\n#endif\n#include </etc/passwd>\n#if 0\n)\"\n#endif",
            "#undef __CUDACC_RTC__\n#ifndef __CUDACC_RTC__\n#include </etc/passwd>\n#endif",
            "#ifndef __CUDACC_RTC__\n#else\n#include </etc/passwd>\n#endif",
            "#ifndef __CUDACC_RTC__\n#endif\n#include </etc/passwd>",
            "#if !defined(__CUDACC_RTC__) || 1\n#include </etc/passwd>\n#endif",
        ] {
            assert_eq!(refused(hostile).len(), 1, "{hostile:?}");
        }
    }

    #[test]
    fn what_nvrtc_skips_may_include_anything() {
        let source = "#ifndef __CUDACC_RTC__\n#include <cstdio>\n#if 1\n#include <vector>\n#endif\n#endif\n\
                      #ifdef __CUDACC_RTC__\n#else\n#include <string>\n#endif\n\
                      #if !defined(__CUDACC_RTC__)\n#include <map>\n#endif\n";
        assert_eq!(refused(source), []);
    }

    #[test]
    fn comments_and_strings_are_not_directives() {
        assert_eq!(
            refused("/*\n#include <cstdio>\n*/\n// #include <cstdio>\nchar s[] = \"#include <x>\";\n"),
            []
        );
    }

    #[test]
    fn a_refusal_names_the_students_file_and_line() {
        let source = "int a;\n#line 12 \"my file.cu\"\nint b;\n#include <vector>\n#line 3 \"template\"\n";
        assert_eq!(refused(source), [("my file.cu".to_owned(), 13)]);
    }
}
