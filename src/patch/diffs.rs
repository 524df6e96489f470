//! Unified diffs against the starter: read leniently, applied with some give.

use crate::record::Notice;
use crate::submission::SourceFile;

/// What a diff gives: programs, and what could not be applied.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Applied {
    pub programs: Vec<SourceFile>,
    pub notices: Vec<Notice>,
}

/// Lines of one diff that are looked at.
const MOST_LINES: usize = 200_000;
/// Hunks of one file.
const MOST_HUNKS: usize = 500;

#[derive(Debug, Clone, Default)]
struct Section<'d> {
    old: &'d str,
    new: &'d str,
    hunks: Vec<Hunk<'d>>,
}

#[derive(Debug, Clone)]
struct Hunk<'d> {
    /// 1-based line in the diff.
    line: u32,
    /// 1-based line in the starter that the header names; 0 when it names none.
    start: usize,
    lines: Vec<(Mark, &'d str)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Same,
    Gone,
    New,
}

/// Applies a diff to the starter. Each file that it changes is one program.
pub(super) fn apply(diff: &SourceFile, starter: &str) -> Applied {
    let mut out = Applied::default();
    let sections = parse(&diff.text);
    if sections.iter().all(|s| s.hunks.is_empty()) {
        let message =
            format!("{} is not a unified diff: make it with `diff -u starter.cu yours.cu`.", diff.name);
        out.notices.push(notice("diff-unreadable", message, diff, 0));
        return out;
    }
    let several = sections.iter().filter(|s| is_source(s)).count() > 1;
    for section in sections.iter().filter(|s| !s.hunks.is_empty() && is_source(s)) {
        let target = base(if section.new == "/dev/null" || section.new.is_empty() {
            section.old
        } else {
            section.new
        });
        let name = if target.is_empty() || !several {
            diff.name.clone()
        } else {
            format!("{}[{target}]", diff.name)
        };
        if section.old == "/dev/null" {
            let lines =
                section.hunks.iter().flat_map(|h| &h.lines).filter(|l| l.0 != Mark::Gone).map(|l| l.1);
            let text = lines.fold(String::new(), |text, line| text + line + "\n");
            out.programs.push(SourceFile { name, text, cell: None });
            continue;
        }
        let (text, failed) = patch(starter, &section.hunks);
        let failed_all = failed.len() == section.hunks.len();
        if failed_all {
            let turned: Vec<Hunk> = section.hunks.iter().map(reversed).collect();
            let (text, failed) = patch(starter, &turned);
            if failed.is_empty() {
                let message = format!(
                    "{} goes from your file to the starter; it was read the other way round.",
                    diff.name
                );
                out.notices.push(notice("diff-reversed", message, diff, section.hunks[0].line));
                out.programs.push(SourceFile { name, text, cell: None });
                continue;
            }
        }
        for line in &failed {
            let message = format!(
                "The hunk on line {line} of {} does not fit the exercise's starter: its context lines are not there.",
                diff.name
            );
            out.notices.push(notice("hunk-failed", message, diff, *line));
        }
        if !failed_all {
            out.programs.push(SourceFile { name, text, cell: None });
        }
    }
    out
}

fn notice(kind: &str, message: String, diff: &SourceFile, line: u32) -> Notice {
    Notice { kind: kind.into(), message, file: diff.name.clone(), line }
}

/// Answers and notes in a diff are no programs.
fn is_source(section: &Section) -> bool {
    let name = base(if section.new == "/dev/null" { section.old } else { section.new });
    let ext = name.rsplit_once('.').map_or("", |(_, ext)| ext);
    !matches!(ext, "toml" | "md" | "txt" | "py" | "ipynb" | "json" | "yml" | "yaml" | "gitignore")
}

fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn parse(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section> = Vec::new();
    let lines: Vec<&str> = text.split('\n').take(MOST_LINES).collect();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let next = lines.get(at + 1).copied().unwrap_or_default();
        if let (Some(old), Some(new)) = (line.strip_prefix("--- "), next.strip_prefix("+++ ")) {
            sections.push(Section { old: path(old), new: path(new), hunks: Vec::new() });
            at += 2;
        } else if let Some((start, old, new)) = header(line) {
            if sections.is_empty() {
                sections.push(Section::default());
            }
            let (hunk, after) = hunk(&lines, at, start, old, new);
            if let Some(section) = sections.last_mut().filter(|s| s.hunks.len() < MOST_HUNKS) {
                section.hunks.push(hunk);
            }
            at = after;
        } else {
            at += 1;
        }
    }
    sections
}

/// A file header's path, without its time stamp and `a/`.
fn path(header: &str) -> &str {
    let path = header.split('\t').next().unwrap_or(header).trim().trim_matches('"');
    path.strip_prefix("a/").or(path.strip_prefix("b/")).unwrap_or(path)
}

/// `@@ -l,s +l,s @@`: the starter's first line, and both counts. `@@` or `@@ ... @@` alone is a header without numbers.
fn header(line: &str) -> Option<(usize, Option<usize>, Option<usize>)> {
    let rest = line.strip_prefix("@@")?;
    let Some(rest) = rest.strip_prefix(" -") else {
        return (rest.trim().is_empty() || rest.trim_end().ends_with("@@")).then_some((0, None, None));
    };
    let mut parts = rest.split_whitespace();
    let range = |text: &str| -> Option<(usize, usize)> {
        match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let old = range(parts.next()?);
    let new = parts.next().and_then(|p| range(p.strip_prefix('+')?));
    // No starter has as many lines as the longest diff.
    Some((old.map_or(0, |o| o.0.min(MOST_LINES)), old.map(|o| o.1), new.map(|n| n.1)))
}

/// The lines of a hunk. Counts say where it ends; where they are wrong, its marks do.
fn hunk<'d>(
    lines: &[&'d str],
    at: usize,
    start: usize,
    mut old: Option<usize>,
    mut new: Option<usize>,
) -> (Hunk<'d>, usize) {
    let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
    let mut hunk = Hunk { line, start, lines: Vec::new() };
    let mut next = at + 1;
    while let Some(&text) = lines.get(next) {
        let counted = old.unwrap_or(0) > 0 || new.unwrap_or(0) > 0;
        if !counted && (text.starts_with("--- ") || text.starts_with("diff ") || text.starts_with("Index: "))
        {
            break;
        }
        let last_of_all = next + 1 == lines.len() && text.is_empty();
        let (mark, rest) = match text.as_bytes().first() {
            Some(b' ') => (Mark::Same, &text[1..]),
            Some(b'-') => (Mark::Gone, &text[1..]),
            Some(b'+') => (Mark::New, &text[1..]),
            Some(b'\\') => {
                next += 1;
                continue;
            }
            // An empty context line whose blank an editor took away.
            None if counted && !last_of_all => (Mark::Same, text),
            Some(b'\t') if counted => (Mark::Same, text),
            _ => break,
        };
        if mark != Mark::New {
            old = old.map(|n| n.saturating_sub(1));
        }
        if mark != Mark::Gone {
            new = new.map(|n| n.saturating_sub(1));
        }
        hunk.lines.push((mark, rest));
        next += 1;
    }
    (hunk, next.max(at + 1))
}

fn reversed<'d>(hunk: &Hunk<'d>) -> Hunk<'d> {
    let turn = |mark| match mark {
        Mark::Same => Mark::Same,
        Mark::Gone => Mark::New,
        Mark::New => Mark::Gone,
    };
    Hunk { lines: hunk.lines.iter().map(|(mark, line)| (turn(*mark), *line)).collect(), ..*hunk }
}

/// The starter with the hunks applied, and the lines (in the diff) of those that do not fit.
fn patch(starter: &str, hunks: &[Hunk]) -> (String, Vec<u32>) {
    let lines: Vec<&str> = starter.split('\n').collect();
    let mut failed = Vec::new();
    let mut cuts: Vec<(usize, usize, Vec<&str>)> = Vec::new();
    let mut shift = 0isize;
    // A hunk without a change fits anywhere.
    for hunk in hunks.iter().filter(|hunk| hunk.lines.iter().any(|(mark, _)| *mark != Mark::Same)) {
        match place(&lines, hunk, shift, &cuts) {
            Some((at, body)) => {
                if hunk.start > 0 {
                    shift = at as isize - (hunk.start as isize - 1);
                }
                cuts.push(replaced(&lines, at, body));
            }
            None => failed.push(hunk.line),
        }
    }
    cuts.sort_by_key(|cut| cut.0);
    let mut out: Vec<&str> = Vec::new();
    let mut at = 0;
    for (start, end, with) in &cuts {
        out.extend(&lines[at..*start]);
        out.extend(with);
        at = *end;
    }
    out.extend(&lines[at..]);
    (out.join("\n"), failed)
}

/// What a hunk's body puts in the place of the starter's lines; context lines stay as the starter has them.
fn replaced<'l>(lines: &[&'l str], at: usize, body: &[(Mark, &'l str)]) -> (usize, usize, Vec<&'l str>) {
    let mut with = Vec::new();
    let mut next = at;
    for (mark, line) in body {
        match mark {
            Mark::Same => {
                with.push(lines[next]);
                next += 1;
            }
            Mark::Gone => next += 1,
            Mark::New => with.push(line),
        }
    }
    (at, next, with)
}

/// Where a hunk fits: as it is, then with white space and comments left out of account, then with less context. With no
/// context left it must fit in one place only.
fn place<'h, 'd>(
    lines: &[&str],
    hunk: &'h Hunk<'d>,
    shift: isize,
    cuts: &[(usize, usize, Vec<&str>)],
) -> Option<(usize, &'h [(Mark, &'d str)])> {
    let edge =
        |lines: &mut dyn Iterator<Item = &(Mark, &str)>| lines.take_while(|l| l.0 == Mark::Same).count();
    let (lead, trail) = (edge(&mut hunk.lines.iter()), edge(&mut hunk.lines.iter().rev()));
    for fuzz in 0..=lead.max(trail) {
        let (from, to) = (fuzz.min(lead), hunk.lines.len() - fuzz.min(trail));
        let body = &hunk.lines[from..to];
        let old: Vec<&str> = body.iter().filter(|l| l.0 != Mark::New).map(|l| l.1).collect();
        if old.iter().all(|line| line.trim().is_empty()) {
            return None;
        }
        let wanted = hunk.start as isize - 1 + shift + from as isize;
        for same in [exactly as fn(&str, &str) -> bool, loosely] {
            let fits: Vec<usize> = (0..(lines.len() + 1).saturating_sub(old.len()))
                .filter(|&at| old.iter().zip(&lines[at..]).all(|(a, b)| same(a, b)))
                .filter(|&at| cuts.iter().all(|cut| at + old.len() <= cut.0 || cut.1 <= at))
                .collect();
            let no_context = from == lead && to == hunk.lines.len() - trail && fuzz > 0;
            if fits.len() > 1 && (no_context || hunk.start == 0) {
                continue;
            }
            if let Some(&at) = fits.iter().min_by_key(|&&at| (at as isize - wanted).unsigned_abs()) {
                return Some((at, body));
            }
        }
    }
    None
}

fn exactly(a: &str, b: &str) -> bool {
    a == b
}

/// The same but for white space and a `//` comment.
fn loosely(a: &str, b: &str) -> bool {
    let plain = |line: &str| -> String {
        let code = line.split("//").next().unwrap_or_default();
        let code = if code.trim().is_empty() { line } else { code };
        code.split_whitespace().collect()
    };
    plain(a) == plain(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STARTER: &str = "// one\nint a = 1;\n\nvoid f() {\n    g();\n    h();\n    i();\n}\n";

    fn run(diff: &str) -> (Vec<String>, Vec<String>) {
        let file = SourceFile { name: "x.diff".into(), text: diff.into(), cell: None };
        let applied = apply(&file, STARTER);
        (
            applied.programs.into_iter().map(|p| p.text).collect(),
            applied.notices.into_iter().map(|n| format!("{} {}", n.kind, n.line)).collect(),
        )
    }

    #[test]
    fn a_plain_diff_applies() {
        let want = STARTER.replace("    h();\n", "").replace("    i();\n", "    i();\n    h();\n");
        let diff = "--- a/t.cu\t2026\n+++ b/t.cu\n@@ -4,5 +4,5 @@ void f()\n void f() {\n     g();\n-    h();\n     i();\n+    h();\n }\n";
        assert_eq!(run(diff), (vec![want.clone()], vec![]));
        // With other lines before it, other white space, no header, and wrong counts.
        let loose =
            "@@ -14,99 +14,99 @@\n // not there\n void f() {\n\tg();\n-\th();\n \ti();\n+    h();\n }\n";
        assert_eq!(run(loose), (vec![want], vec![]));
    }

    #[test]
    fn a_hunk_that_does_not_fit_is_told_with_its_line() {
        let diff = "--- t\n+++ t\n@@ -2 +2 @@\n-int a = 1;\n+int a = 2;\n@@ -9 +9 @@\n-nowhere();\n+x();\n";
        assert_eq!(run(diff), (vec![STARTER.replace("= 1", "= 2")], vec!["hunk-failed 6".into()]));
    }

    #[test]
    fn turned_round_new_and_unreadable() {
        let turned = "--- t\n+++ t\n@@ -2 +2 @@\n-int a = 7;\n+int a = 1;\n";
        assert_eq!(run(turned), (vec![STARTER.replace("= 1", "= 7")], vec!["diff-reversed 3".into()]));
        let idle =
            "--- t\n+++ t\n@@ -1,3 +1,3 @@\n // one\n-int a = 1;\n+int a = 2;\n \n@@ -1 +1 @@\n // one\n";
        assert_eq!(run(idle), (vec![STARTER.replace("= 1", "= 2")], vec![]));
        let new = "--- /dev/null\n+++ b/mine.cu\n@@ -0,0 +1,2 @@\n+int b;\n+int c;\n";
        assert_eq!(run(new).0, ["int b;\nint c;\n"]);
        assert_eq!(run("3c3\n< a\n---\n> b\n").1, ["diff-unreadable 0"]);
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "(@@ -[0-9],[0-9] \\+[0-9],[0-9] @@|--- a|\\+\\+\\+ b|[ +-]|\n|void f\\(\\) \\{|    g\\(\\);|\\\\|x){0,80}") {
            run(&text);
        }

        #[test]
        fn a_diff_of_two_texts_gives_the_second(lines in proptest::collection::vec("[a-e]{1,3}", 1..20), at in 0usize..20, with in "[f-h]{1,3}") {
            let old = lines.join("\n") + "\n";
            let mut new = lines.clone();
            let at = at % new.len();
            new[at] = with;
            let new = new.join("\n") + "\n";
            let diff = similar::TextDiff::from_lines(&old, &new).unified_diff().header("t.cu", "t.cu").to_string();
            let applied = apply(&SourceFile { name: "x".into(), text: diff, cell: None }, &old);
            prop_assert_eq!(&applied.programs[0].text, &new);
        }
    }
}
