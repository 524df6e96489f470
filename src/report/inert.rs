//! Text from a submission, made harmless and kept readable.
//!
//! A terminal acts on escape sequences and an editor on bidirectional controls (Boucher and Anderson,
//! "Trojan Source", 2021), so a view shows such a character as its code point: `⟨U+202E⟩`.

use std::borrow::Cow;

use serde_json::Value;

use super::error::ReportError;
use crate::record::Graded;

/// Whether a character acts on its surroundings or hides, and so is never passed on as it is.
pub(super) fn is_active(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        // Soft hyphen, combining joiner, Arabic letter mark, Hangul fillers, Mongolian separator.
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}'
        | '\u{180E}' => true,
        // Zero-width spaces and joiners, direction marks; line and paragraph separators; embeddings and overrides.
        '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' => true,
        // Word joiner, invisible operators, isolates, deprecated format characters.
        '\u{2060}'..='\u{206F}' => true,
        '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => false,
    }
}

/// `text` with every active character written as `⟨U+XXXX⟩`. Line feeds and tabs stay, `\r\n` becomes `\n`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_active) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if c == '\r' && characters.peek() == Some(&'\n') {
            continue;
        }
        if is_active(c) {
            shown.push_str(&format!("⟨U+{:04X}⟩", c as u32));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// `text` on one line: line feeds and tabs become spaces too.
pub(super) fn one_line(text: &str) -> String {
    visible(text)
        .split(['\n', '\t'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The record with every string made [`visible`].
pub(super) fn inert(graded: &Graded) -> Result<Graded, ReportError> {
    let mut value = serde_json::to_value(graded)?;
    make_visible(&mut value);
    Ok(serde_json::from_value(value)?)
}

fn make_visible(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(shown) = visible(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_visible),
        Value::Object(fields) => {
            let odd = fields.keys().any(|key| key.chars().any(is_active));
            if odd {
                *fields = std::mem::take(fields)
                    .into_iter()
                    .map(|(key, value)| (visible(&key).into_owned(), value))
                    .collect();
            }
            fields.values_mut().for_each(make_visible);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_bidi_controls_are_shown_as_code_points() {
        assert_eq!(visible("a\x1b[31mb\u{202e}c\r\nd\te\x00"), "a⟨U+001B⟩[31mb⟨U+202E⟩c\nd\te⟨U+0000⟩");
    }

    #[test]
    fn letters_of_every_script_stay() {
        let names = "Łukasz Þór 李小龍 عمر Ñandú नमस्ते 🙂";
        assert!(matches!(visible(names), Cow::Borrowed(text) if text == names));
    }
}
