//! Exact comparison of a buffer with what it must hold (contract rule 12).

use serde::{Deserialize, Serialize};

use crate::exercise::ElementType;

/// What comparing one buffer gave.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Elements that differ.
    pub mismatches: u64,
    /// The first of them.
    pub first: Option<u64>,
    /// The value read at `first`; when nothing differs, at element 0.
    pub got: Option<Value>,
    /// The value wanted there.
    pub want: Option<Value>,
}

/// One element's value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Value {
    I64(i64),
    U64(u64),
    F32(f32),
    F64(f64),
}

impl Value {
    /// Reads element `index`; `None` past the end.
    pub fn read(bytes: &[u8], ty: ElementType, index: usize) -> Option<Value> {
        let size = ty.bytes() as usize;
        let at = bytes.get(index.checked_mul(size)?..)?.get(..size)?;
        Some(match ty {
            ElementType::I32 => Value::I64(i32::from_le_bytes(at.try_into().ok()?).into()),
            ElementType::U32 => Value::U64(u32::from_le_bytes(at.try_into().ok()?).into()),
            ElementType::I64 => Value::I64(i64::from_le_bytes(at.try_into().ok()?)),
            ElementType::U64 => Value::U64(u64::from_le_bytes(at.try_into().ok()?)),
            ElementType::F32 => Value::F32(f32::from_le_bytes(at.try_into().ok()?)),
            ElementType::F64 => Value::F64(f64::from_le_bytes(at.try_into().ok()?)),
        })
    }

    /// For ordering counts; exact up to 2^53, enough to find a lowest and a highest.
    pub fn as_f64(self) -> f64 {
        match self {
            Value::I64(v) => v as f64,
            Value::U64(v) => v as f64,
            Value::F32(v) => v.into(),
            Value::F64(v) => v,
        }
    }
}

impl std::fmt::Display for Value {
    /// Integers in full; floating values as C's `%.9g` (`%.17g` for doubles), as the contract prints them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Value::I64(v) => write!(f, "{v}"),
            Value::U64(v) => write!(f, "{v}"),
            Value::F32(v) => f.write_str(&general(v.into(), 9)),
            Value::F64(v) => f.write_str(&general(v, 17)),
        }
    }
}

/// C's `%.{digits}g`.
fn general(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim_zeros(mantissa), exponent.abs());
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trim_zeros(&format!("{value:.decimals$}")).to_owned()
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Compares element by element with `!=` of the type: equal zeros of either sign match, a NaN never does.
/// Buffers of different length differ in every element that one of them lacks.
pub fn compare(got: &[u8], want: &[u8], ty: ElementType) -> Comparison {
    let first_value = |i: u64| (Value::read(got, ty, i as usize), Value::read(want, ty, i as usize));
    let mut result = Comparison::default();
    if got != want || matches!(ty, ElementType::F32 | ElementType::F64) {
        let (mismatches, first) = count(got, want, ty);
        result.mismatches = mismatches;
        result.first = first;
    }
    (result.got, result.want) = first_value(result.first.unwrap_or(0));
    result
}

/// Number of differing elements and the first of them.
fn count(got: &[u8], want: &[u8], ty: ElementType) -> (u64, Option<u64>) {
    let size = ty.bytes() as usize;
    let differs = |a: &[u8], b: &[u8]| match ty {
        ElementType::F32 => f32_of(a) != f32_of(b),
        ElementType::F64 => f64_of(a) != f64_of(b),
        _ => a != b,
    };
    let mut mismatches = 0;
    let mut first = None;
    for (i, (a, b)) in got.chunks_exact(size).zip(want.chunks_exact(size)).enumerate() {
        if differs(a, b) {
            mismatches += 1;
            first.get_or_insert(i as u64);
        }
    }
    let (have, need) = (got.len() / size, want.len() / size);
    if have != need {
        mismatches += have.abs_diff(need) as u64;
        first.get_or_insert(have.min(need) as u64);
    }
    (mismatches, first)
}

fn f32_of(bytes: &[u8]) -> f32 {
    let mut raw = [0; 4];
    raw.copy_from_slice(bytes);
    f32::from_le_bytes(raw)
}

fn f64_of(bytes: &[u8]) -> f64 {
    let mut raw = [0; 8];
    raw.copy_from_slice(bytes);
    f64::from_le_bytes(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32s(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    #[test]
    fn counts_every_difference_and_names_the_first() {
        let c = compare(&f32s(&[1.0, 2.0, 3.0, 9.0]), &f32s(&[1.0, 5.0, 3.0, 4.0]), ElementType::F32);
        assert_eq!((c.mismatches, c.first), (2, Some(1)));
        assert_eq!((c.got, c.want), (Some(Value::F32(2.0)), Some(Value::F32(5.0))));
    }

    #[test]
    fn compares_floats_by_value_and_nan_with_nothing() {
        assert_eq!(compare(&f32s(&[-0.0]), &f32s(&[0.0]), ElementType::F32).mismatches, 0);
        assert_eq!(compare(&f32s(&[f32::NAN]), &f32s(&[f32::NAN]), ElementType::F32).mismatches, 1);
    }

    #[test]
    fn a_short_buffer_lacks_its_tail() {
        let c = compare(&[1, 0, 0, 0], &[1, 0, 0, 0, 2, 0, 0, 0], ElementType::U32);
        assert_eq!((c.mismatches, c.first), (1, Some(1)));
    }

    #[test]
    fn prints_as_the_contract_does() {
        assert_eq!(Value::F32(4_194_915.0).to_string(), "4194915");
        assert_eq!(Value::F32(0.1).to_string(), "0.100000001");
        assert_eq!(Value::F32(1e20).to_string(), "1.00000002e+20");
        assert_eq!(Value::F32(f32::NAN).to_string(), "nan");
        assert_eq!(Value::U64(2_097_152).to_string(), "2097152");
        assert_eq!(Value::F64(-2.5e-7).to_string(), "-2.4999999999999999e-07");
    }
}
