//! Translation phases 1 to 3 of C++, as far as directives need them: splices, comments, literals.
//!
//! Compilers differ in a few corners (a backslash followed by blanks, a lone carriage return, digit separators). A
//! student could use a difference to hide a directive from us, so each corner is a [`Reading`], and
//! [`include_policy`](super::include_policy) looks at all of them.

/// One way to read the corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    /// A backslash, blanks and a line end splice the lines, as GCC has it.
    pub blank_splices: bool,
    /// A carriage return alone ends a line.
    pub cr_ends_line: bool,
    /// `'` after a letter or digit separates digits; else it opens a character literal.
    pub digit_separators: bool,
}

impl Reading {
    pub const ALL: [Reading; 8] = {
        let mut all = [Reading { blank_splices: false, cr_ends_line: false, digit_separators: false }; 8];
        let mut i = 0;
        while i < 8 {
            all[i] =
                Reading { blank_splices: i & 1 != 0, cr_ends_line: i & 2 != 0, digit_separators: i & 4 != 0 };
            i += 1;
        }
        all
    };
}

/// A line after splicing, with each comment replaced by a blank.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LogicalLine {
    /// 1-based number of its first physical line.
    pub number: u32,
    pub text: String,
    /// It begins inside a raw string literal, if the compiler agrees that there is one.
    pub in_raw_string: bool,
}

enum State {
    Code,
    Comment,
    /// The `)delimiter"` that ends it.
    Raw(Vec<char>),
}

pub(super) fn logical_lines(source: &str, reading: Reading) -> Vec<LogicalLine> {
    let mut lines = Vec::new();
    let mut state = State::Code;
    for (number, spliced) in splice(source, reading) {
        let in_raw_string = matches!(state, State::Raw(_));
        let (text, next) = strip(&spliced, state, reading);
        state = next;
        lines.push(LogicalLine { number, text, in_raw_string });
    }
    lines
}

/// Physical lines joined at splices, each with the number of its first.
fn splice(source: &str, reading: Reading) -> Vec<(u32, Vec<char>)> {
    let text = source.replace("\r\n", "\n");
    let ends = |c: char| c == '\n' || (reading.cr_ends_line && c == '\r');
    let mut lines = Vec::new();
    let mut current: Vec<char> = Vec::new();
    let mut first = 1;
    for (number, line) in (1u32..).zip(text.split(ends)) {
        if current.is_empty() {
            first = number;
        }
        current.extend(line.chars());
        let kept = if reading.blank_splices {
            current
                .iter()
                .rposition(|c| !matches!(c, ' ' | '\t' | '\x0b' | '\x0c' | '\r'))
                .map_or(0, |i| i + 1)
        } else {
            current.len()
        };
        // A trigraph for a backslash is honoured too: older standards do.
        let backslash = current[..kept].ends_with(&['\\']);
        let trigraph = current[..kept].ends_with(&['?', '?', '/']);
        if backslash || trigraph {
            current.truncate(kept - if backslash { 1 } else { 3 });
            if current.is_empty() {
                // Keeps the number of a line that begins with a bare splice.
                current.push(' ');
            }
            continue;
        }
        lines.push((first, std::mem::take(&mut current)));
    }
    if !current.is_empty() {
        lines.push((first, current));
    }
    lines
}

/// Drops the comments of one line; returns the state at its end.
fn strip(line: &[char], mut state: State, reading: Reading) -> (String, State) {
    let mut out = String::with_capacity(line.len());
    let mut i = 0;
    while i < line.len() {
        match &state {
            State::Comment => {
                if line[i..].starts_with(&['*', '/']) {
                    state = State::Code;
                    out.push(' ');
                    i += 1;
                }
                i += 1;
            }
            State::Raw(end) => {
                if line[i..].starts_with(end) {
                    i += end.len();
                    out.push('"');
                    state = State::Code;
                } else {
                    out.push(line[i]);
                    i += 1;
                }
            }
            State::Code => {
                let rest = &line[i..];
                if rest.starts_with(&['/', '/']) {
                    break;
                } else if rest.starts_with(&['/', '*']) {
                    state = State::Comment;
                    i += 2;
                } else if rest[0] == '"' {
                    if let Some((length, end)) = raw_string_at(line, i) {
                        out.push('"');
                        i += length;
                        state = State::Raw(end);
                    } else {
                        i = literal(line, i, &mut out);
                    }
                } else if rest[0] == '\''
                    && !(reading.digit_separators && i > 0 && line[i - 1].is_ascii_alphanumeric())
                {
                    i = literal(line, i, &mut out);
                } else {
                    out.push(rest[0]);
                    i += 1;
                }
            }
        }
    }
    (out, state)
}

/// Copies the string or character literal at `start`; returns where it ends, at the latest at the line's end.
fn literal(line: &[char], start: usize, out: &mut String) -> usize {
    let quote = line[start];
    out.push(quote);
    let mut i = start + 1;
    while i < line.len() {
        out.push(line[i]);
        if line[i] == '\\' && i + 1 < line.len() {
            out.push(line[i + 1]);
            i += 1;
        } else if line[i] == quote {
            return i + 1;
        }
        i += 1;
    }
    i
}

/// Whether the quote at `at` opens a raw string: the length of its opening from the quote on, and what ends it.
fn raw_string_at(line: &[char], at: usize) -> Option<(usize, Vec<char>)> {
    let word = line[..at].iter().rposition(|c| !(c.is_alphanumeric() || *c == '_')).map_or(0, |i| i + 1);
    let prefix: String = line[word..at].iter().collect();
    if !matches!(prefix.as_str(), "R" | "u8R" | "uR" | "UR" | "LR") {
        return None;
    }
    let open = line[at + 1..].iter().take(17).position(|c| *c == '(')?;
    let delimiter = &line[at + 1..at + 1 + open];
    if delimiter.iter().any(|c| matches!(c, ' ' | ')' | '\\' | '\t' | '"')) {
        return None;
    }
    let end = [&[')'], delimiter, &['"']].concat();
    Some((open + 2, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Reading = Reading { blank_splices: false, cr_ends_line: false, digit_separators: true };

    fn texts(source: &str, reading: Reading) -> Vec<String> {
        logical_lines(source, reading).into_iter().map(|l| l.text).collect()
    }

    #[test]
    fn comments_become_blanks_and_literals_stay() {
        let source = "a /* x\ny */ b // c\n\"/* no */\" '\"' d\n";
        assert_eq!(texts(source, PLAIN), ["a ", "  b ", "\"/* no */\" '\"' d", ""]);
    }

    #[test]
    fn splices_join_and_keep_the_first_number() {
        let lines = logical_lines("x\n#inc\\\nlude <a>\ny", PLAIN);
        assert_eq!(lines[1], LogicalLine { number: 2, text: "#include <a>".into(), in_raw_string: false });
        assert_eq!(lines[2].number, 4);
    }

    #[test]
    fn a_raw_string_ends_at_its_own_delimiter() {
        let lines = logical_lines("s = R\"q( /* )\"\n#x )q\"; t", PLAIN);
        assert_eq!(lines[1].text, "#x \"; t");
        assert!(lines[1].in_raw_string);
    }

    #[test]
    fn an_identifier_that_ends_in_r_opens_no_raw_string() {
        assert_eq!(texts("fooR\"(\" /* c */ x\ny", PLAIN), ["fooR\"(\"   x", "y"]);
    }

    #[test]
    fn a_digit_separator_hides_no_comment() {
        assert_eq!(texts("1'000 /* c */ + 2", PLAIN), ["1'000   + 2"]);
    }
}
