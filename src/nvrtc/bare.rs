//! A program without what no compiler minds: comments, blank lines, indentation, names of files.
//!
//! Most programs of a class are the same but for those. [`bare`] gives them one text, which is compiled once, and a table
//! that leads each line back to where it stood, by which the PTX gets its own lines and columns again.
//!
//! What could make a difference all the same gives `None`, and the program is compiled as it is: spliced lines, raw
//! strings, anything that asks for its own line or file. Within a line, a comment becomes as many blanks.

use std::borrow::Cow;

use super::file_table;

/// What the text is called while it is compiled.
pub(super) const NAME: &str = "program";

/// The macro that NVRTC always defines; a part for other compilers is left out.
const RUNTIME_COMPILER: &str = "__CUDACC_RTC__";
/// Names by which a program learns where it stands.
const ASKS: [&str; 9] = [
    "__LINE__",
    "__FILE__",
    "__BASE_FILE__",
    "__FILE_NAME__",
    "__builtin_LINE",
    "__builtin_FILE",
    "__builtin_COLUMN",
    "source_location",
    "assert",
];

/// A program, bare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bare {
    pub text: String,
    /// By line of `text`.
    lines: Vec<Place>,
    files: Vec<String>,
}

/// Where a line stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    /// Index into [`Bare::files`].
    file: u32,
    line: u32,
    /// Bytes of blanks that it began with.
    indent: u32,
}

/// Strips a program that is called `name` outside its `#line`s.
pub(super) fn bare(source: &str, name: &str) -> Option<Bare> {
    let mut bare =
        Bare { text: String::with_capacity(source.len()), lines: Vec::new(), files: vec![name.to_owned()] };
    let (mut file, mut number) = (0, 1);
    let mut in_comment = false;
    let mut conditions = Conditions::default();
    for line in source.lines() {
        if !in_comment && let Some((next, name)) = line_directive(line) {
            let known = bare.files.iter().position(|f| *f == name);
            file = known.unwrap_or(bare.files.len()) as u32;
            if known.is_none() {
                bare.files.push(name);
            }
            number = next;
            continue;
        }
        let own = number;
        number += 1;
        let was_in_comment = in_comment;
        let code = without_comments(line, &mut in_comment)?;
        let code = code.trim_end();
        let word = code.trim_start();
        if word.is_empty() {
            continue;
        }
        if let Some(directive) = word.strip_prefix('#') {
            let directive = directive.trim_start();
            // A comment that goes on past the line's end takes the directive along.
            if was_in_comment
                || in_comment
                || directive.starts_with("line")
                || directive.starts_with(|c: char| c.is_ascii_digit())
            {
                return None;
            }
            // `//` inside a header's name begins no comment.
            if directive.starts_with("include") && line.contains("//") {
                return None;
            }
            if conditions.directive(directive)? {
                continue;
            }
        } else if word.starts_with("%:") || word.starts_with("??") {
            return None;
        }
        if conditions.left_out() {
            continue;
        }
        if asks(word) {
            return None;
        }
        bare.text.push_str(word);
        bare.text.push('\n');
        let indent = (code.len() - word.len()) as u32;
        bare.lines.push(Place { file, line: own, indent });
    }
    (!in_comment && conditions.depth == 0).then_some(bare)
}

/// The text that is the same for programs that differ in comments, blank lines and names of files alone; a program to
/// which that cannot be done is its own.
pub fn bare_text(source: &str) -> Cow<'_, str> {
    bare(source, NAME).map_or(Cow::Borrowed(source), |bare| Cow::Owned(bare.text))
}

/// `#line 12 "name"`, as patching writes it.
fn line_directive(line: &str) -> Option<(u32, String)> {
    let (number, name) = line.strip_prefix("#line ")?.split_once(' ')?;
    let name = name.strip_prefix('"')?.strip_suffix('"')?;
    Some((number.parse().ok()?, name.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// The line with blanks for its comments. `None` for a line that this cannot read.
fn without_comments(line: &str, in_comment: &mut bool) -> Option<String> {
    if line.contains('\r') && !line.ends_with('\r') || line.contains("??/") || line.trim_end().ends_with('\\')
    {
        return None;
    }
    let bytes = line.as_bytes();
    let mut code = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let mut blank = |n: usize| code.extend(std::iter::repeat_n(b' ', n));
        if *in_comment {
            let ends = rest.starts_with(b"*/");
            *in_comment = !ends;
            let taken = if ends { 2 } else { 1 };
            blank(taken);
            at += taken;
        } else if rest.starts_with(b"//") {
            break;
        } else if rest.starts_with(b"/*") {
            *in_comment = true;
            blank(2);
            at += 2;
        } else if matches!(rest[0], b'"' | b'\'') {
            // A prefix may make it a raw string, a digit before it a separator.
            if at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_') {
                return None;
            }
            let length = literal(rest)?;
            code.extend_from_slice(&rest[..length]);
            at += length;
        } else {
            code.push(rest[0]);
            at += 1;
        }
    }
    String::from_utf8(code).ok()
}

/// Length of the literal that begins here, with its quotes. `None` when it does not end on this line.
fn literal(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == text[0] => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

fn asks(code: &str) -> bool {
    code.contains(RUNTIME_COMPILER)
        || code.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| ASKS.contains(&word))
}

/// Conditional directives that are open.
#[derive(Default)]
struct Conditions {
    depth: u32,
    /// Depth at which the part for other compilers began.
    others: Option<u32>,
}

impl Conditions {
    fn left_out(&self) -> bool {
        self.others.is_some()
    }

    /// Follows a directive; whether it bounds the part that is left out. `None` where that part has an alternative.
    fn directive(&mut self, directive: &str) -> Option<bool> {
        let mut words = directive.split_whitespace();
        let word = words.next().unwrap_or_default();
        match word {
            "if" | "ifdef" | "ifndef" => {
                self.depth += 1;
                if self.others.is_none() && word == "ifndef" && words.eq([RUNTIME_COMPILER]) {
                    self.others = Some(self.depth);
                    return Some(true);
                }
            }
            "endif" => {
                let bounds = self.others == Some(self.depth);
                self.depth = self.depth.checked_sub(1)?;
                if bounds {
                    self.others = None;
                    return Some(true);
                }
            }
            _ if word.starts_with("el") && self.others == Some(self.depth) => return None,
            _ => {}
        }
        Some(false)
    }
}

impl Bare {
    /// The PTX of [`Bare::text`], which names [`NAME`], with the program's own files and lines.
    pub fn relocated(&self, ptx: &str) -> String {
        let number = |line: &str| file_table::entry(line).and_then(|(n, name)| Some((n.parse().ok()?, name)));
        let entries = || ptx.lines().filter_map(number);
        let Some((ours, _)) = entries().find(|(_, name)| name == NAME) else { return ptx.to_owned() };
        let first = 1 + entries().map(|(number, _)| number).max().unwrap_or(0);
        let place = |[file, line, column]: [u32; 3]| {
            if file != ours {
                return [file, line, column];
            }
            let known = (line as usize).checked_sub(1).and_then(|index| self.lines.get(index));
            known.map_or([first, 0, column], |at| {
                // No column is 0.
                [first + at.file, at.line, if column == 0 { 0 } else { column + at.indent }]
            })
        };
        let mut out = String::with_capacity(ptx.len() + 256);
        for line in ptx.lines() {
            let places = line.trim_start().strip_prefix(".loc");
            if let Some(places) = places.filter(|p| p.starts_with(char::is_whitespace)) {
                let moved: Vec<String> = places.split(" inlined_at ").map(|p| moved(p, place)).collect();
                out.push_str("\t.loc");
                out.push_str(&moved.join(" inlined_at"));
            } else if number(line).is_some_and(|(number, _)| number == ours) {
                for (index, name) in self.files.iter().enumerate() {
                    out.push_str(&file_table::file_line(first + index as u32, name));
                    out.push('\n');
                }
                continue;
            } else {
                out.push_str(line);
            }
            out.push('\n');
        }
        out
    }
}

/// ` 1 12 5, function_name …`, with file, line and column moved.
fn moved(text: &str, place: impl Fn([u32; 3]) -> [u32; 3]) -> String {
    let text = text.trim_start();
    let (at, rest) = text.split_at(text.find(',').unwrap_or(text.len()));
    let numbers: Vec<u32> = at.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match <[u32; 3]>::try_from(numbers) {
        Ok(at) => {
            let [file, line, column] = place(at);
            format!(" {file} {line} {column}{rest}")
        }
        Err(_) => format!(" {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> Option<String> {
        bare(source, "template").map(|bare| bare.text)
    }

    #[test]
    fn programs_that_differ_in_comments_lines_and_names_are_one() {
        let given = "#line 1 \"template\"\nint a;\n#line 40 \"mine.cu\"\nvoid k() {\n  f();\n}\n";
        let other = "#line 1 \"template\"\nint a; // ours\r\n#line 7 \"an other.cu\"\nvoid k() {\n\n  /* why\n not */\n\t f(); \n}\n";
        assert_eq!(text(given), text(other));
        let bare = bare(other, "template").unwrap();
        assert_eq!(bare.files, ["template", "an other.cu"]);
        let places: Vec<(u32, u32, u32)> = bare.lines.iter().map(|p| (p.file, p.line, p.indent)).collect();
        assert_eq!(places, [(0, 1, 0), (1, 7, 0), (1, 11, 2), (1, 12, 0)]);
    }

    #[test]
    fn columns_and_literals_stay() {
        assert_eq!(text("a /* ü */ b"), Some(format!("a{}b\n", " ".repeat(10))));
        assert_eq!(text("x = \"/* no */ // \\\" \";"), Some("x = \"/* no */ // \\\" \";\n".to_owned()));
        assert_eq!(text("c = '\"'; // '"), Some("c = '\"';\n".to_owned()));
    }

    #[test]
    fn what_is_for_other_compilers_is_left_out() {
        let source = "a\n#ifndef __CUDACC_RTC__\n#if X\nf(__LINE__);\n#endif\n#endif\nb\n";
        assert_eq!(text(source), Some("a\nb\n".to_owned()));
    }

    #[test]
    fn what_could_make_a_difference_is_compiled_as_it_is() {
        for source in [
            "int a = __LINE__;",
            "assert(x);",
            "#define F \\\n 1",
            "// a comment \\\nthat goes on",
            "x = R\"(a)\";",
            "x = 1'000;",
            "#define X /*\n*/ 5",
            "/* */ #line 3",
            "#  line 3 \"x\"",
            "# 3 \"x\"",
            "%:line 3",
            "#include <a//b>",
            "x = \"open",
            "/* open",
            "#if 1",
            "#endif",
            "#ifndef __CUDACC_RTC__\n#else\n#endif",
            "#ifdef __CUDACC_RTC__\n#endif",
            "a\rb",
        ] {
            assert_eq!(text(source), None, "{source}");
        }
    }

    #[test]
    fn lines_lead_back_to_where_they_stood() {
        let bare = bare("one\n#line 9 \"a\\\"b.cu\"\n\n\ttwo\n", "template").unwrap();
        let ptx = "\t.loc\t1 2 5, function_name $L, inlined_at 1 1 3\nret;\n\t.loc 2 8 1\n\t.loc\t1 0 0\n\t.local .b8 x;\n\t.file\t1 \"program\"\n\t.file\t2 \"<x>\"\n";
        let want = "\t.loc 4 10 6, function_name $L, inlined_at 3 1 3\nret;\n\t.loc 2 8 1\n\t.loc 3 0 0\n\t.local .b8 x;\n\t.file\t3 \"template\"\n\
                    \t.file\t4 \"a\\\"b.cu\"\n\t.file\t2 \"<x>\"\n";
        assert_eq!(bare.relocated(ptx), want);
    }
}
