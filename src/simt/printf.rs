//! `printf`'s formatting, as the CUDA guide describes it ("Formatted Output"): C's conversions without `%n`.
//!
//! Arguments lie one after the other at their natural alignment: 4 bytes for `int`, 8 for `long`, `double` and pointers.

/// Flags, width and precision of a conversion.
#[derive(Debug, Default, Clone)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer argument.
    bytes: u32,
    /// `h` and `hh`: bits that count.
    narrow: Option<u32>,
}

/// Widest field that is padded to.
const MAX_WIDTH: usize = 1 << 12;

/// Formats into `out`. `next` takes an argument of so many bytes, `string` reads a C string. Returns the number of
/// arguments, which is what CUDA's `printf` returns.
pub(super) fn format(
    text: &[u8],
    out: &mut Vec<u8>,
    next: &mut dyn FnMut(u32) -> u64,
    string: &mut dyn FnMut(u64) -> Vec<u8>,
) -> usize {
    let mut arguments = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'%' {
            out.push(text[at]);
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        let (spec, kind) = read_spec(text, &mut at, next, &mut arguments);
        match kind {
            Some(b'%') => out.push(b'%'),
            Some(kind @ (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'p')) => {
                arguments += 1;
                let bytes = if kind == b'p' { 8 } else { spec.bytes };
                integer(&spec, kind, next(bytes), out);
            }
            Some(kind @ (b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A')) => {
                arguments += 1;
                let value = f64::from_bits(next(8));
                pad_number(&spec, &float(&spec, kind, value), value.is_finite(), out);
            }
            Some(b's') => {
                arguments += 1;
                let mut value = string(next(8));
                if let Some(precision) = spec.precision {
                    value.truncate(precision);
                }
                pad(&spec, &value, out);
            }
            // Not a conversion: as written.
            _ => out.extend_from_slice(&text[start..at]),
        }
    }
    arguments
}

fn read_spec(
    text: &[u8],
    at: &mut usize,
    next: &mut dyn FnMut(u32) -> u64,
    arguments: &mut usize,
) -> (Spec, Option<u8>) {
    let mut spec = Spec { bytes: 4, ..Spec::default() };
    while let Some(flag) = text.get(*at) {
        match flag {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            _ => break,
        }
        *at += 1;
    }
    let mut number = |at: &mut usize, left: &mut bool| {
        if text.get(*at) == Some(&b'*') {
            *at += 1;
            *arguments += 1;
            let value = next(4) as u32 as i32;
            *left |= value < 0;
            return value.unsigned_abs() as usize;
        }
        let mut value = 0usize;
        while let Some(digit) = text.get(*at).filter(|d| d.is_ascii_digit()) {
            value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            *at += 1;
        }
        value
    };
    spec.width = number(at, &mut spec.left).min(MAX_WIDTH);
    if text.get(*at) == Some(&b'.') {
        *at += 1;
        let mut negative = false;
        let precision = number(at, &mut negative).min(MAX_WIDTH);
        spec.precision = (!negative).then_some(precision);
    }
    while let Some(size) = text.get(*at) {
        match size {
            b'l' | b'z' | b'j' | b't' | b'L' => spec.bytes = 8,
            b'h' => spec.narrow = Some(if spec.narrow.is_some() { 8 } else { 16 }),
            _ => break,
        }
        *at += 1;
    }
    let kind = text.get(*at).copied();
    *at += usize::from(kind.is_some());
    (spec, kind)
}

fn integer(spec: &Spec, kind: u8, raw: u64, out: &mut Vec<u8>) {
    if kind == b'c' {
        return pad(spec, &[raw as u8], out);
    }
    let bits = spec.narrow.unwrap_or(if kind == b'p' { 64 } else { spec.bytes * 8 });
    let unsigned = raw & (u64::MAX >> (64 - bits));
    let signed = ((raw << (64 - bits)) as i64) >> (64 - bits);
    let (negative, digits) = match kind {
        b'd' | b'i' => (signed < 0, signed.unsigned_abs().to_string()),
        b'u' => (false, unsigned.to_string()),
        b'o' => (false, format!("{unsigned:o}")),
        b'X' => (false, format!("{unsigned:X}")),
        _ => (false, format!("{unsigned:x}")),
    };
    let prefix = match kind {
        b'p' => "0x",
        b'x' if spec.alternate && unsigned != 0 => "0x",
        b'X' if spec.alternate && unsigned != 0 => "0X",
        b'o' if spec.alternate => "0",
        b'd' | b'i' if negative => "-",
        b'd' | b'i' if spec.plus => "+",
        b'd' | b'i' if spec.space => " ",
        _ => "",
    };
    let digits = match spec.precision {
        Some(0) if unsigned == 0 => String::new(),
        Some(precision) => format!("{digits:0>precision$}"),
        None => digits,
    };
    let zero = spec.zero && spec.precision.is_none();
    let spec = Spec { zero, ..spec.clone() };
    pad_number(&spec, &format!("{prefix}{digits}"), true, out);
}

/// Pads on the left with spaces, or with zeros behind the sign, or on the right.
fn pad_number(spec: &Spec, text: &str, zeros: bool, out: &mut Vec<u8>) {
    if !spec.zero || spec.left || !zeros {
        return pad(spec, text.as_bytes(), out);
    }
    let sign = text.find(|c: char| !matches!(c, '-' | '+' | ' ')).unwrap_or(0);
    let hex = if text[sign..].starts_with("0x") || text[sign..].starts_with("0X") { 2 } else { 0 };
    let (head, tail) = text.split_at(sign + hex);
    out.extend_from_slice(head.as_bytes());
    out.extend(std::iter::repeat_n(b'0', spec.width.saturating_sub(text.len())));
    out.extend_from_slice(tail.as_bytes());
}

fn pad(spec: &Spec, text: &[u8], out: &mut Vec<u8>) {
    let fill = std::iter::repeat_n(b' ', spec.width.saturating_sub(text.len()));
    if spec.left {
        out.extend_from_slice(text);
        out.extend(fill);
    } else {
        out.extend(fill);
        out.extend_from_slice(text);
    }
}

fn float(spec: &Spec, kind: u8, value: f64) -> String {
    let upper = kind.is_ascii_uppercase();
    let sign = if value.is_sign_negative() && !value.is_nan() {
        "-"
    } else if spec.plus {
        "+"
    } else if spec.space {
        " "
    } else {
        ""
    };
    let x = value.abs();
    let body = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        let precision = spec.precision.unwrap_or(6);
        match kind.to_ascii_lowercase() {
            b'f' => {
                let point = if precision == 0 && spec.alternate { "." } else { "" };
                format!("{x:.precision$}{point}")
            }
            b'e' => exponent(x, precision),
            b'a' => hexadecimal(x, spec.precision),
            _ => general(x, precision.max(1), spec.alternate),
        }
    };
    let text = format!("{sign}{body}");
    if upper { text.to_uppercase() } else { text }
}

/// `d.ddde±xx`, at least two exponent digits.
fn exponent(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

fn general(x: f64, precision: usize, keep_zeros: bool) -> String {
    // The exponent after rounding to the precision decides the style.
    let rounded = format!("{x:.*e}", precision - 1);
    let power: i32 = rounded.split_once('e').and_then(|(_, p)| p.parse().ok()).unwrap_or(0);
    let text = if power < -4 || power >= precision as i32 {
        exponent(x, precision - 1)
    } else {
        format!("{x:.*}", (precision as i32 - 1 - power).max(0) as usize)
    };
    if keep_zeros {
        return text;
    }
    let (mantissa, power) = text.split_once('e').map_or((text.as_str(), None), |(m, p)| (m, Some(p)));
    let mantissa =
        if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    match power {
        Some(power) => format!("{mantissa}e{power}"),
        None => mantissa.to_owned(),
    }
}

/// `0x1.8p+1`.
fn hexadecimal(x: f64, precision: Option<usize>) -> String {
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let mut fraction = bits & ((1 << 52) - 1);
    let mut lead = 1u64;
    if exponent == -1023 {
        (lead, exponent) = if fraction == 0 { (0, 0) } else { (0, -1022) };
    }
    let digits = match precision {
        Some(precision) if precision < 13 => {
            let shift = 52 - 4 * precision as u32;
            let whole = (u128::from(lead) << 52) | u128::from(fraction);
            let half = 1u128 << (shift - 1);
            let mut rounded = whole >> shift;
            let rest = whole & ((1 << shift) - 1);
            if rest > half || (rest == half && rounded & 1 == 1) {
                rounded += 1;
            }
            lead = (rounded >> (4 * precision)) as u64;
            let low = rounded & ((1u128 << (4 * precision)) - 1);
            if precision == 0 { String::new() } else { format!("{low:0precision$x}") }
        }
        Some(precision) => format!("{fraction:013x}{}", "0".repeat(precision - 13)),
        None => {
            let mut digits = 13;
            while digits > 0 && fraction & 0xf == 0 {
                fraction >>= 4;
                digits -= 1;
            }
            if digits == 0 { String::new() } else { format!("{fraction:0digits$x}") }
        }
    };
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::format;

    fn print(text: &str, arguments: &[u64]) -> String {
        let mut out = Vec::new();
        let mut left = arguments.iter();
        format(text.as_bytes(), &mut out, &mut |_| *left.next().expect("enough arguments"), &mut |_| {
            b"word".to_vec()
        });
        String::from_utf8(out).expect("text")
    }

    fn real(x: f64) -> u64 {
        x.to_bits()
    }

    #[test]
    fn integers() {
        assert_eq!(print("%d|%5d|%-5d|%05d", &[u64::MAX, 42, 42, 42]), "-1|   42|42   |00042");
        assert_eq!(print("%u %x %#X %o", &[4294967295, 255, 255, 8]), "4294967295 ff 0XFF 10");
        assert_eq!(print("%lld %llu %zu", &[u64::MAX, u64::MAX, 7]), "-1 18446744073709551615 7");
        assert_eq!(print("%+d %.3d %c%c", &[5, 7, 72, 105]), "+5 007 Hi");
        assert_eq!(print("%hhd %p 100%%", &[0x1ff, 0x1000]), "-1 0x1000 100%");
    }

    #[test]
    fn reals_as_c_prints_them() {
        assert_eq!(print("%f %.2f %8.3f|", &[real(1.5), real(2.675), real(-3.0)]), "1.500000 2.67   -3.000|");
        assert_eq!(print("%e %.0e", &[real(12345.678), real(0.00012)]), "1.234568e+04 1e-04");
        assert_eq!(
            print("%g %g %g %g", &[real(100000.0), real(1e6), real(0.0001), real(1e-5)]),
            "100000 1e+06 0.0001 1e-05"
        );
        assert_eq!(print("%.9g", &[real(4194915.0)]), "4194915");
        assert_eq!(
            print("%f %F %06.1f", &[real(f64::NAN), real(f64::NEG_INFINITY), real(-2.25)]),
            "nan -INF -002.2"
        );
        assert_eq!(print("%a", &[real(3.0)]), "0x1.8p+1");
    }

    #[test]
    fn strings_and_stars() {
        assert_eq!(print("[%s][%6s][%-6s][%.2s]", &[1, 1, 1, 1]), "[word][  word][word  ][wo]");
        assert_eq!(print("%*d|%.*f", &[4, 7, 1, real(0.25)]), "   7|0.2");
        assert_eq!(print("%y %", &[]), "%y %");
    }
}
