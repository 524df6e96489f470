//! The record itself, for machines.

use super::audience::{Audience, audience};
use super::error::ReportError;
use super::inert::is_active;
use crate::record::Graded;

/// `result.json` for one audience: the same data, with active characters written as `\uXXXX`, so that a
/// terminal that shows the file acts on none of them.
pub fn json(graded: &Graded, for_whom: Audience) -> Result<String, ReportError> {
    let mut text = escaped(&serde_json::to_string_pretty(&audience(graded, for_whom))?);
    text.push('\n');
    Ok(text)
}

/// Active characters occur only inside JSON's strings, where an escape is the same value.
pub(super) fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if is_active(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn escaping_keeps_the_value() {
        let value = "a\u{202e}b\u{e0041}\x7f";
        let text = super::escaped(&serde_json::to_string(value).unwrap());
        assert!(text.is_ascii(), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value);
    }
}
