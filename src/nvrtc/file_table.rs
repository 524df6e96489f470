//! The `.file` table at the end of a PTX: names as we gave them.
//!
//! NVRTC writes each name of a `#line` as a path from its own working folder, with other bytes than ASCII in octal.
//! A report, and a cache that is shared between machines, want the name as it was.

use std::env;
use std::fmt::Display;

use super::log::{Names, shown};

/// The PTX with each `.file` entry under its own name: the student's file, or `<cuda/std/…>` for a header.
pub(super) fn with_own_names(ptx: &str, names: &Names) -> String {
    let here = env::current_dir().map(|dir| format!("{}/", dir.display())).unwrap_or_default();
    let mut out = String::with_capacity(ptx.len());
    for line in ptx.lines() {
        match entry(line) {
            Some((number, path)) => {
                out.push_str(&file_line(number, &own_name(&path, &here, names)));
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// Where a 1-based line of a PTX comes from: the nearest `.loc` above it, in a PTX with its own names.
pub(super) fn source_line(ptx: &str, line: u32) -> Option<(String, u32)> {
    let before: Vec<&str> = ptx.lines().take(line as usize).collect();
    let loc = before.iter().rev().find_map(|l| l.trim().strip_prefix(".loc"))?;
    let mut words = loc.split_whitespace();
    let (file, line) = (words.next()?, words.next()?.parse().ok()?);
    let (_, name) = ptx.lines().filter_map(entry).find(|(number, _)| *number == file)?;
    Some((name, line))
}

/// A `.file` line, without its end.
pub(super) fn file_line(number: impl Display, name: &str) -> String {
    format!("\t.file\t{number} \"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Number and unescaped name of a `.file` line.
pub(super) fn entry(line: &str) -> Option<(&str, String)> {
    let (number, name) = line.trim().strip_prefix(".file")?.trim().split_once(char::is_whitespace)?;
    let name = name.trim().strip_prefix('"')?;
    Some((number, unescape(&name[..name.rfind('"')?])))
}

fn own_name(path: &str, here: &str, names: &Names) -> String {
    let is_own = |name: &str| names.files.iter().any(|file| file == name);
    if is_own(path) {
        return path.to_owned();
    }
    if let Some(name) = path.strip_prefix(here)
        && is_own(name)
    {
        return name.to_owned();
    }
    if names.include_dirs.iter().any(|dir| path.starts_with(&*dir.to_string_lossy())) {
        return shown(path, names);
    }
    // A working folder that is known by another name (a link).
    let ending = names.files.iter().filter(|file| path.ends_with(&format!("/{file}")));
    ending.max_by_key(|file| file.len()).cloned().unwrap_or_else(|| shown(path, names))
}

/// `\303\274` to `ü`, `\"` to `"`.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|d| d.iter().all(|c| matches!(c, b'0'..=b'7')) && d[0] < b'4');
        match (first, octal, after.first()) {
            (b'\\', Some(digits), _) => {
                bytes.push(digits.iter().fold(0, |n, d| n * 8 + (d - b'0')));
                rest = &after[3..];
            }
            (b'\\', None, Some(&escaped)) => {
                bytes.push(escaped);
                rest = &after[1..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn every_entry_gets_its_own_name_back() {
        let here = env::current_dir().unwrap();
        let here = here.display();
        let ptx = format!(
            "\t.loc\t2 7 1\n\tret;\n\t.file\t1 \"{here}/template\"\n\t.file\t2 \"{here}/\\303\\274 q.cu\"\n\
             \t.file\t3 \"/cache/include/cuda/atomic\"\n\t.file\t4 \"/elsewhere/x.h\"\n"
        );
        let files = ["template".to_owned(), "ü q.cu".to_owned()];
        let dirs = [PathBuf::from("/cache/include")];
        let own = with_own_names(&ptx, &Names { files: &files, include_dirs: &dirs });
        let expected = "\t.file\t1 \"template\"\n\t.file\t2 \"ü q.cu\"\n\t.file\t3 \"<cuda/atomic>\"\n\t.file\t4 \"<header>\"\n";
        assert!(own.ends_with(expected), "{own}");
        assert_eq!(source_line(&own, 2), Some(("ü q.cu".to_owned(), 7)));
    }
}
