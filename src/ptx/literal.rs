//! Numbers and strings as PTX writes them (PTX ISA, "Constants").

/// A literal's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Literal {
    Int(i128),
    /// Bits of a single.
    F32(u32),
    /// Bits of a double; decimal floats are doubles.
    F64(u64),
}

/// Reads an unsigned literal: decimal, `0x`, `0b`, octal `0…`, with `U`; `0f` and `0d` with exactly 8 and 16 digits;
/// decimal floats. `None` when it is none of these, or wider than 127 bits.
pub(super) fn number(text: &str) -> Option<Literal> {
    let prefix = text.get(..2).unwrap_or("");
    match prefix {
        "0f" | "0F" if text.len() == 10 => hex_digits(&text[2..]).map(|v| Literal::F32(v as u32)),
        "0d" | "0D" if text.len() == 18 => hex_digits(&text[2..]).map(Literal::F64),
        "0f" | "0F" | "0d" | "0D" => None,
        _ if !prefix.starts_with("0x") && !prefix.starts_with("0X") && is_decimal_float(text) => {
            text.parse::<f64>().ok().map(|v| Literal::F64(v.to_bits()))
        }
        _ => integer(text).map(Literal::Int),
    }
}

fn hex_digits(text: &str) -> Option<u64> {
    // `from_str_radix` would take a sign.
    text.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u64::from_str_radix(text, 16).ok())?
}

fn is_decimal_float(text: &str) -> bool {
    text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E'))
        && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'))
}

/// An unsigned integer literal.
pub(super) fn integer(text: &str) -> Option<i128> {
    let text = text.strip_suffix(['U', 'u']).unwrap_or(text);
    let (digits, radix) = match text.get(..2) {
        Some("0x" | "0X") => (&text[2..], 16),
        Some("0b" | "0B") => (&text[2..], 2),
        _ if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
        _ => (text, 10),
    };
    if digits.starts_with('+') || digits.starts_with('-') {
        return None;
    }
    i128::from_str_radix(digits, radix).ok()
}

/// A quoted string's text, its escapes undone: `\"`, `\\`, `\n` and the like, and `\ooo`.
pub(super) fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] != b'\\' || i + 1 == bytes.len() {
            out.push(bytes[i]);
            i += 1;
            continue;
        }
        i += 1;
        let octal = bytes[i..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
        if octal > 0 {
            let value = bytes[i..i + octal].iter().fold(0u32, |v, b| v * 8 + u32::from(b - b'0'));
            out.push(value as u8);
            i += octal;
            continue;
        }
        out.push(match bytes[i] {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            other => other,
        });
        i += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The reverse of [`unescape`].
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", c as u32)),
            c => out.push(c),
        }
    }
    out
}
