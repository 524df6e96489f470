//! Half precision and bfloat16, one and two at a time.

use super::super::code::Cmp;
use super::operation::{Float, Half, Mode};
use super::round::{Format, Round, to_format, to_odd, two_sum};

const F16: Format = Format { precision: 11, min_exponent: -14, max: 65504.0 };
const BF16: Format = Format { precision: 8, min_exponent: -126, max: 3.3895313892515355e38 };
const NAN: u16 = 0x7fff;

impl Half {
    fn format(self) -> Format {
        match self {
            Half::F16 => F16,
            Half::Bf16 => BF16,
        }
    }

    /// The value of the bits.
    pub fn value(self, bits: u16) -> f64 {
        f64::from(match self {
            Half::F16 => f16_to_f32(bits),
            Half::Bf16 => bf16_to_f32(bits),
        })
    }

    /// The nearest (or directed) representation of a value.
    pub fn encode(self, x: f64, round: Round) -> u16 {
        if x.is_nan() {
            return NAN;
        }
        let exact = to_format(x, self.format(), round);
        match self {
            Half::F16 => encode_f16(exact),
            Half::Bf16 => ((exact as f32).to_bits() >> 16) as u16,
        }
    }

    fn subnormal(self, bits: u16) -> bool {
        let exponent = match self {
            Half::F16 => bits & 0x7c00,
            Half::Bf16 => bits & 0x7f80,
        };
        exponent == 0 && bits & 0x7fff != 0
    }

    fn is_nan(self, bits: u16) -> bool {
        self.value(bits).is_nan()
    }
}

/// Exact.
pub(in crate::simt) fn f16_to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10) & 0x1f;
    let fraction = u32::from(bits & 0x3ff);
    match exponent {
        0 => f32::from_bits(sign | (fraction as f32 * 2f32.powi(-24)).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// Exact.
pub(in crate::simt) fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The bits of a value that half precision has exactly.
fn encode_f16(x: f64) -> u16 {
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let x = x.abs();
    if x.is_infinite() {
        return sign | 0x7c00;
    }
    if x < 2f64.powi(-14) {
        return sign | (x * 2f64.powi(24)) as u16;
    }
    let bits = x.to_bits();
    let exponent = ((bits >> 52) as i32 - 1023 + 15) as u16;
    sign | exponent << 10 | ((bits >> 42) & 0x3ff) as u16
}

/// One operation on one half.
pub(super) fn half_op(half: Half, op: Float, mode: Mode, a: u16, b: u16, c: u16) -> u16 {
    let flush = |bits: u16| if mode.ftz && half.subnormal(bits) { bits & 0x8000 } else { bits };
    match op {
        Float::Abs | Float::Neg if half.is_nan(a) => return NAN,
        Float::Abs => return flush(a) & 0x7fff,
        Float::Neg => return flush(a) ^ 0x8000,
        Float::CopySign => return (b & 0x7fff) | (a & 0x8000),
        _ => {}
    }
    let (a, b, c) = (flush(a), flush(b), flush(c));
    if matches!(op, Float::Min | Float::Max) {
        return min_max(half, op == Float::Max, mode, a, b);
    }
    let (x, y, z) = (half.value(a), half.value(b), half.value(c));
    let exact = match op {
        // Exact in double, or rounded to odd there, then rounded once more.
        Float::Add => sum(x, y),
        Float::Sub => sum(x, -y),
        Float::Mul => x * y,
        Float::Fma => sum(x * y, z),
        Float::Ex2 => x.exp2(),
        Float::Tanh => x.tanh(),
        _ => f64::NAN,
    };
    let bits = flush(half.encode(exact, mode.round));
    let value = half.value(bits);
    if mode.relu && !value.is_nan() && value <= 0.0 {
        return 0;
    }
    if mode.sat {
        return if value.is_nan() { 0 } else { half.encode(value.clamp(0.0, 1.0).abs(), Round::Nearest) };
    }
    bits
}

fn sum(a: f64, b: f64) -> f64 {
    let (s, e) = two_sum(a, b);
    to_odd(s, e)
}

fn min_max(half: Half, max: bool, mode: Mode, a: u16, b: u16) -> u16 {
    let sign = (a ^ b) & 0x8000;
    let (a, b) = if mode.abs || mode.xorsign { (a & 0x7fff, b & 0x7fff) } else { (a, b) };
    let bits = match (half.is_nan(a), half.is_nan(b)) {
        (true, true) => return NAN,
        (true, _) | (_, true) if mode.nan => return NAN,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            let (x, y) = (half.value(a), half.value(b));
            let a_less = x < y || (x == y && x.is_sign_negative());
            if a_less != max { a } else { b }
        }
    };
    if mode.xorsign { (bits & 0x7fff) | sign } else { bits }
}

/// One operation on two halves.
pub(super) fn half2_op(half: Half, op: Float, mode: Mode, a: u32, b: u32, c: u32) -> u32 {
    let low = half_op(half, op, mode, a as u16, b as u16, c as u16);
    let high = half_op(half, op, mode, (a >> 16) as u16, (b >> 16) as u16, (c >> 16) as u16);
    u32::from(low) | u32::from(high) << 16
}

/// The atomics' operations on halves, round to nearest.
pub(in crate::simt) fn half_binary(half: Half, op: Float, a: u32, b: u32, two: bool) -> u32 {
    let mode = Mode::default();
    if two {
        half2_op(half, op, mode, a, b, 0)
    } else {
        u32::from(half_op(half, op, mode, a as u16, b as u16, 0))
    }
}

/// `setp`/`set` on halves.
pub(in crate::simt) fn compare(half: Half, cmp: Cmp, ftz: bool, a: u16, b: u16) -> bool {
    let flush = |bits: u16| if ftz && half.subnormal(bits) { bits & 0x8000 } else { bits };
    cmp.floats(half.value(flush(a)), half.value(flush(b)))
}

/// `set.cmp.{f16x2,bf16x2}`: 1.0 or 0.0 in each half, or all ones.
pub(super) fn set_half2(half: Half, cmp: Cmp, float: bool, ftz: bool, a: u32, b: u32) -> u64 {
    let one = |shift: u32| {
        let holds = compare(half, cmp, ftz, (a >> shift) as u16, (b >> shift) as u16);
        match (holds, float) {
            (false, _) => 0,
            (true, false) => 0xffff,
            (true, true) => u64::from(half.encode(1.0, Round::Nearest)),
        }
    };
    one(0) | one(16) << 16
}
