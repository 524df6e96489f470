//! Names that are safe to print, to quote in `#line`, and to tell apart.

use std::ffi::OsStr;

/// Longest name kept, in characters; a longer one loses its middle.
const LONGEST: usize = 160;

/// A file's name made safe to print: control characters, bidirectional overrides and other invisible characters are
/// shown as escapes, bytes that are not UTF-8 as `\xHH`; `\` becomes `/`, and `"` becomes `'`, so that the name can
/// stand between quotes anywhere.
pub fn safe_name(name: impl AsRef<OsStr>) -> String {
    let name = name.as_ref();
    safe_bytes(name.as_encoded_bytes())
}

/// [`safe_name`] for a name out of an archive.
pub(super) fn safe_bytes(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_safe(&mut out, c);
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    shorten(out)
}

fn push_safe(out: &mut String, c: char) {
    match c {
        '\\' => out.push('/'),
        '"' => out.push('\''),
        _ if is_unprintable(c) => out.push_str(&format!("<U+{:04X}>", c as u32)),
        _ => out.push(c),
    }
}

/// Characters that a terminal or a browser acts on instead of showing: controls, bidirectional marks, overrides and
/// isolates, zero-width characters, line and paragraph separators, tags, private and non-characters.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{E000}'..='\u{F8FF}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{FFFE}'..='\u{FFFF}'
            | '\u{E0000}'..='\u{10FFFF}')
}

fn shorten(name: String) -> String {
    let count = name.chars().count();
    if count <= LONGEST {
        return name;
    }
    let head: String = name.chars().take(LONGEST - 48).collect();
    let tail: String = name.chars().skip(count - 40).collect();
    format!("{head}[...]{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_overrides_and_stray_bytes_are_shown() {
        assert_eq!(safe_bytes(b"a\x1b[31m.cu"), "a<U+001B>[31m.cu");
        assert_eq!(safe_bytes("a\u{202E}uc.b".as_bytes()), "a<U+202E>uc.b");
        assert_eq!(safe_bytes(b"caf\xe9.cu"), "caf%E9.cu");
        assert_eq!(safe_bytes(b"dir\\\"x\".cu"), "dir/'x'.cu");
        assert_eq!(safe_bytes("größe.cu".as_bytes()), "größe.cu");
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        let long = format!("start{}end.cu", "x".repeat(5_000));
        let safe = safe_bytes(long.as_bytes());
        assert!(safe.starts_with("start") && safe.ends_with("end.cu") && safe.chars().count() <= LONGEST);
    }
}
