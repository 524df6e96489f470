//! Single and double precision with PTX's qualifiers (PTX ISA, "Floating-Point Instructions").

use super::operation::{Float, Mode};
use super::round::{NAN32, Round, canonical, to_f32, to_odd, two_sum};
use super::{approx, exact};

fn flush(x: f32, ftz: bool) -> f32 {
    if ftz && x.is_subnormal() { 0f32.copysign(x) } else { x }
}

/// One single-precision operation on bits.
pub(super) fn f32_op(op: Float, mode: Mode, a: u32, b: u32, c: u32) -> u32 {
    let (a, b, c) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
    // Sign operations touch the bits alone.
    match op {
        Float::Abs | Float::Neg if a.is_nan() && (mode.ftz || op == Float::Abs) => return NAN32,
        Float::Abs => return flush(a, mode.ftz).to_bits() & 0x7fff_ffff,
        Float::Neg => return flush(a, mode.ftz).to_bits() ^ 0x8000_0000,
        Float::CopySign => return (b.to_bits() & 0x7fff_ffff) | (a.to_bits() & 0x8000_0000),
        _ => {}
    }
    let (a, b, c) = (flush(a, mode.ftz), flush(b, mode.ftz), flush(c, mode.ftz));
    let raw = match op {
        Float::Min | Float::Max | Float::Min3 | Float::Max3 => {
            let max = matches!(op, Float::Max | Float::Max3);
            let first = min_max(max, mode, a, b);
            let bits = match op {
                Float::Min3 | Float::Max3 => min_max(max, mode, f32::from_bits(first), c),
                _ => first,
            };
            f32::from_bits(bits)
        }
        Float::Add => rounded(mode.round, f64::from(a), f64::from(b), a + b),
        Float::Sub => rounded(mode.round, f64::from(a), -f64::from(b), a - b),
        Float::Mul if mode.round == Round::Nearest => a * b,
        Float::Mul => to_f32(f64::from(a) * f64::from(b), mode.round),
        Float::Fma if mode.round == Round::Nearest => a.mul_add(b, c),
        Float::Fma => {
            let product = f64::from(a) * f64::from(b);
            rounded(mode.round, product, f64::from(c), a.mul_add(b, c))
        }
        Float::Div if mode.round == Round::Nearest => a / b,
        Float::Div => quotient(mode.round, f64::from(a), f64::from(b)),
        Float::Rcp if mode.round == Round::Nearest => 1.0 / a,
        Float::Rcp => quotient(mode.round, 1.0, f64::from(a)),
        Float::Sqrt if mode.round == Round::Nearest => a.sqrt(),
        Float::Sqrt => {
            let wide = f64::from(a);
            let root = wide.sqrt();
            to_f32(to_odd(root, (-root).mul_add(root, wide)), mode.round)
        }
        other => approx::f32(other, a, b),
    };
    let result = flush(raw, mode.ftz);
    if mode.relu && result < 0.0 {
        return 0;
    }
    if mode.sat {
        return if result.is_nan() { 0 } else { result.clamp(0.0, 1.0).abs().to_bits() };
    }
    canonical(result)
}

/// A sum of two doubles that stand for singles (or a product of singles), rounded once.
fn rounded(round: Round, a: f64, b: f64, nearest: f32) -> f32 {
    if round == Round::Nearest {
        return nearest;
    }
    let (s, e) = two_sum(a, b);
    if s == 0.0 && e == 0.0 {
        // An exact zero of opposite signs is -0 when rounding down only.
        let zero_sign = if a == 0.0 && b == 0.0 && a.is_sign_negative() == b.is_sign_negative() {
            a.is_sign_negative()
        } else {
            round == Round::Down
        };
        return if zero_sign { -0.0 } else { 0.0 };
    }
    to_f32(to_odd(s, e), round)
}

fn quotient(round: Round, a: f64, b: f64) -> f32 {
    let q = a / b;
    if !q.is_finite() || q == 0.0 {
        return q as f32;
    }
    // The remainder's sign, relative to the divisor's, says on which side the quotient lies.
    let remainder = (-q).mul_add(b, a);
    to_f32(to_odd(q, if b < 0.0 { -remainder } else { remainder }), round)
}

fn min_max(max: bool, mode: Mode, a: f32, b: f32) -> u32 {
    let sign = (a.to_bits() ^ b.to_bits()) & 0x8000_0000;
    let (a, b) = if mode.abs || mode.xorsign { (a.abs(), b.abs()) } else { (a, b) };
    let bits = match (a.is_nan(), b.is_nan()) {
        (true, true) => NAN32,
        (true, false) | (false, true) if mode.nan => NAN32,
        (true, false) => b.to_bits(),
        (false, true) => a.to_bits(),
        // -0 < +0 here.
        (false, false) => {
            let a_less = a < b || (a == b && a.is_sign_negative());
            if a_less != max { a.to_bits() } else { b.to_bits() }
        }
    };
    if mode.xorsign && bits != NAN32 { (bits & 0x7fff_ffff) | sign } else { bits }
}

/// One double-precision operation on bits.
pub(super) fn f64_op(op: Float, mode: Mode, a: u64, b: u64, c: u64) -> u64 {
    let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
    let round = mode.round;
    let result = match op {
        Float::Abs => return a & !(1 << 63),
        Float::Neg => return a ^ (1 << 63),
        Float::CopySign => return (b & !(1 << 63)) | (a & (1 << 63)),
        Float::Min | Float::Max => {
            let max = op == Float::Max;
            match (x.is_nan(), y.is_nan()) {
                (true, true) => f64::NAN,
                (true, false) => y,
                (false, true) => x,
                (false, false) => {
                    let x_less = x < y || (x == y && x.is_sign_negative());
                    if x_less != max { x } else { y }
                }
            }
        }
        Float::Add => exact::sum(x, y, round).unwrap_or(x + y),
        Float::Sub => exact::sum(x, -y, round).unwrap_or(x - y),
        Float::Mul => exact::product(x, y, round).unwrap_or(x * y),
        Float::Fma => exact::fused(x, y, z, round).unwrap_or_else(|| x.mul_add(y, z)),
        Float::Div => exact::quotient(x, y, round).unwrap_or(x / y),
        Float::Rcp => exact::quotient(1.0, x, round).unwrap_or(1.0 / x),
        Float::Sqrt => exact::root(x, round).unwrap_or_else(|| x.sqrt()),
        other => approx::f64(other, x),
    };
    result.to_bits()
}
