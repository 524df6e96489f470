//! `cvt` (PTX ISA, "Data Movement and Conversion Instructions: cvt").

use super::operation::{Half, Int, Mode, Number};
use super::round::{NAN32, Round, integral, to_f32};

/// One conversion on bits. Integer results narrower than their register are zero-extended here; the decoder
/// adds the sign extension that a wider destination register asks for.
pub(super) fn convert(from: Number, to: Number, mode: Mode, bits: u64) -> u64 {
    match (from, to) {
        (Number::Int(source), Number::Int(target)) => {
            let value = source.value(bits);
            if mode.sat { target.saturate(value) } else { target.wrap(value) }
        }
        (Number::Int(source), _) => from_integer(source.value(bits), to, mode),
        (_, Number::Int(target)) => {
            to_integer(float_value(from, bits, mode.ftz), target, mode, from == Number::F64)
        }
        _ => between_floats(from, to, mode, bits),
    }
}

fn float_value(from: Number, bits: u64, ftz: bool) -> f64 {
    match from {
        Number::F16 => Half::F16.value(bits as u16),
        Number::Bf16 => Half::Bf16.value(bits as u16),
        Number::F64 => f64::from_bits(bits),
        _ => {
            let x = f32::from_bits(bits as u32);
            f64::from(if ftz && x.is_subnormal() { 0f32.copysign(x) } else { x })
        }
    }
}

/// Out of range clamps. NaN gives 0 from single to 32 bits and fewer, else the integer with only the top bit set.
fn to_integer(x: f64, target: Int, mode: Mode, double: bool) -> u64 {
    if x.is_nan() {
        return if double || target.bits() == 64 { 1 << (target.bits() - 1) } else { 0 };
    }
    let rounded = integral(x, mode.round);
    // `as` saturates, and every 64-bit bound is inside i128.
    target.saturate(rounded as i128)
}

fn from_integer(value: i128, to: Number, mode: Mode) -> u64 {
    if let Number::F64 = to {
        return integer_to_f64(value, mode.round).to_bits();
    }
    // Up to 64 bits do not fit a double exactly: round to odd first.
    let nearest = value as f64;
    let exact = nearest as i128;
    let odd = super::round::to_odd(nearest, (value - exact) as f64);
    match to {
        Number::F16 => u64::from(saturate_half(Half::F16, odd, mode)),
        Number::Bf16 => u64::from(saturate_half(Half::Bf16, odd, mode)),
        _ => {
            let x = to_f32(odd, mode.round);
            u64::from(if mode.sat { x.clamp(0.0, 1.0) } else { x }.to_bits())
        }
    }
}

fn integer_to_f64(value: i128, round: Round) -> f64 {
    let nearest = value as f64;
    let missing = value - nearest as i128;
    super::round::step(nearest, missing as f64, round)
}

fn saturate_half(half: Half, x: f64, mode: Mode) -> u16 {
    let x = if mode.sat { if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0).abs() } } else { x };
    let bits = half.encode(x, mode.round);
    if mode.relu && !half.value(bits).is_nan() && bits & 0x8000 != 0 { 0 } else { bits }
}

fn between_floats(from: Number, to: Number, mode: Mode, bits: u64) -> u64 {
    let x = float_value(from, bits, mode.ftz);
    // From double, a NaN keeps the upper bits of its payload; with `.ftz`, a single one becomes canonical first.
    if x.is_nan() && !mode.sat {
        match (from, to) {
            (Number::F64, Number::F32) => return u64::from((f64::from_bits(bits) as f32).to_bits()),
            (Number::F64, Number::F16) => return (bits >> 42 & 0x3ff) | 0x7e00,
            (Number::F32, Number::F64) if mode.ftz => return 0x7fff_ffff_e000_0000,
            _ => {}
        }
    }
    let integral_round =
        matches!(mode.round, Round::NearestInt | Round::ZeroInt | Round::DownInt | Round::UpInt);
    let x = if integral_round { integral(x, mode.round) } else { x };
    match to {
        Number::F64 => {
            let y = if mode.sat { if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0).abs() } } else { x };
            y.to_bits()
        }
        Number::F16 => u64::from(saturate_half(Half::F16, x, mode)),
        Number::Bf16 => u64::from(saturate_half(Half::Bf16, x, mode)),
        Number::Tf32 => u64::from(to_tf32(x, mode)),
        _ => {
            if x.is_nan() {
                return if mode.sat { 0 } else { u64::from(NAN32) };
            }
            let mut y = to_f32(x, mode.round);
            if mode.ftz && y.is_subnormal() {
                y = 0f32.copysign(y);
            }
            if mode.sat {
                y = y.clamp(0.0, 1.0).abs();
            }
            if mode.relu && y < 0.0 {
                y = 0.0;
            }
            u64::from(y.to_bits())
        }
    }
}

/// tf32 keeps ten fraction bits of single precision.
fn to_tf32(x: f64, mode: Mode) -> u32 {
    if x.is_nan() {
        return NAN32;
    }
    let format = super::round::Format { precision: 11, min_exponent: -126, max: f64::from(f32::MAX) };
    let y = super::round::to_format(x, format, mode.round) as f32;
    if mode.relu && y < 0.0 { 0 } else { y.to_bits() }
}

/// `cvt.rn.{f16x2,bf16x2}.f32 d, a, b`: `a` becomes the upper half.
pub(super) fn convert_pack2(half: Half, mode: Mode, a: u32, b: u32) -> u64 {
    let one =
        |bits: u32| u64::from(saturate_half(half, float_value(Number::F32, u64::from(bits), mode.ftz), mode));
    one(a) << 16 | one(b)
}

/// `cvt.pack.sat.T.s32.b32 d, a, b, c`: `c` shifted up, then `a`, then `b` lowest.
pub(super) fn convert_pack_integers(t: Int, a: u32, b: u32, c: u32) -> u64 {
    let (a, b) = (t.saturate(i128::from(a as i32)), t.saturate(i128::from(b as i32)));
    let bits = t.bits();
    let upper = if bits == 16 { 0 } else { u64::from(c) << (2 * bits) };
    (upper | a << bits | b) & u64::from(u32::MAX)
}
