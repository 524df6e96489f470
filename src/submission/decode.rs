//! Bytes to text: UTF-8 and UTF-16 with or without a mark, Windows-1252, any line ends.

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A decoded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decoded {
    /// UTF-8, with `\n` line ends and no byte order mark.
    pub text: String,
    /// What a person should know of the encoding, when it was not plain UTF-8.
    pub remark: Option<&'static str>,
}

/// Decodes a text file; `None` for one that is no text.
///
/// Without a mark, UTF-16 is recognised by zero bytes in every other place of ASCII text. What is neither it nor UTF-8 is
/// read as Windows-1252, of which Latin-1 is a part. A zero byte anywhere else, or many control characters, is no text.
pub(super) fn decode(bytes: &[u8]) -> Option<Decoded> {
    let (text, remark) = match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => decode_bytewise(rest)?,
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => return None,
        [0xFF, 0xFE, rest @ ..] => (
            UTF_16LE.decode_without_bom_handling(rest).0.into_owned(),
            Some("was UTF-16 and was read as such"),
        ),
        [0xFE, 0xFF, rest @ ..] => (
            UTF_16BE.decode_without_bom_handling(rest).0.into_owned(),
            Some("was UTF-16 and was read as such"),
        ),
        _ => match guess_utf16(bytes) {
            Some(encoding) => (
                encoding.decode_without_bom_handling(bytes).0.into_owned(),
                Some("looks like UTF-16 without a byte order mark and was read as such"),
            ),
            None => decode_bytewise(bytes)?,
        },
    };
    if text.contains('\0') || mostly_controls(&text) {
        return None;
    }
    Some(Decoded { text: normalise_lines(text), remark })
}

fn decode_bytewise(bytes: &[u8]) -> Option<(String, Option<&'static str>)> {
    if bytes.contains(&0) {
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some((text.to_owned(), None)),
        Err(_) => Some((
            WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
            Some("is not UTF-8 and was read as Windows-1252; save it as UTF-8"),
        )),
    }
}

/// UTF-16 by its zero bytes: of the first 4 KB, most of one half and almost none of the other.
fn guess_utf16(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let head = &bytes[..bytes.len().min(4096) & !1];
    let pairs = head.len() / 2;
    if pairs < 2 {
        return None;
    }
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    if odd * 10 >= pairs * 6 && even * 20 <= pairs {
        Some(UTF_16LE)
    } else if even * 10 >= pairs * 6 && odd * 20 <= pairs {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn mostly_controls(text: &str) -> bool {
    let (mut controls, mut all) = (0usize, 0usize);
    for c in text.chars().take(8192) {
        all += 1;
        let odd =
            c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{1a}' | '\u{1b}');
        controls += usize::from(odd || c == '\u{FFFD}');
    }
    controls * 10 > all
}

fn normalise_lines(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn utf16(text: &str, big: bool, mark: bool) -> Vec<u8> {
        let mark = if mark { "\u{FEFF}" } else { "" };
        format!("{mark}{text}")
            .encode_utf16()
            .flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() })
            .collect()
    }

    #[test]
    fn every_encoding_gives_the_same_text() {
        let text = "__global__ void k() {}\n// größer\n";
        let cases = [
            text.as_bytes().to_vec(),
            [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            utf16(text, false, true),
            utf16(text, true, true),
            utf16(text, false, false),
            utf16(text, true, false),
            WINDOWS_1252.encode(text).0.into_owned(),
            text.replace('\n', "\r\n").into_bytes(),
            text.replace('\n', "\r").into_bytes(),
        ];
        for (i, bytes) in cases.iter().enumerate() {
            assert_eq!(decode(bytes).map(|d| d.text).as_deref(), Some(text), "case {i}");
        }
        assert!(decode(&cases[6]).unwrap().remark.unwrap().contains("Windows-1252"));
    }

    #[test]
    fn no_text_is_no_text() {
        assert_eq!(decode(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"), None);
        assert_eq!(decode(b"int x;\0int y;"), None);
        assert_eq!(decode(&[1u8, 2, 3, 4, 5, 6, 7, 8]), None);
    }

    proptest! {
        #[test]
        fn any_bytes_decode_or_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            if let Some(decoded) = decode(&bytes) {
                prop_assert!(!decoded.text.contains(['\r', '\0']));
            }
        }

        #[test]
        fn utf8_text_survives(text in "[a-zA-Z0-9 äöü{}();\\n]{0,200}") {
            prop_assert_eq!(decode(text.as_bytes()).map(|d| d.text), Some(text));
        }
    }
}
