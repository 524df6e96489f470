//! Directed rounding on top of the host's round-to-nearest.
//!
//! A result is first had exactly as a pair (nearest value, sign of what is missing). For a narrower target it
//! is then rounded to odd in double precision, from where any second rounding is exact
//! (Boldo and Melquiond, "When double rounding is odd", 2005); for double itself it is stepped by one unit
//! where the mode asks for it.

/// IEEE rounding directions as PTX names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::simt) enum Round {
    /// `.rn`, nearest even.
    #[default]
    Nearest,
    /// `.rna`, nearest, ties away from zero (`cvt` to tf32).
    NearestAway,
    /// `.rz`
    Zero,
    /// `.rm`
    Down,
    /// `.rp`
    Up,
    /// `.rni` and its like: to an integral value, in the given direction.
    NearestInt,
    ZeroInt,
    DownInt,
    UpInt,
}

/// The hardware's one single-precision NaN.
pub(in crate::simt) const NAN32: u32 = 0x7fff_ffff;

/// NaN results are canonical in single precision.
#[inline(always)]
pub(in crate::simt) fn canonical(x: f32) -> u32 {
    if x.is_nan() { NAN32 } else { x.to_bits() }
}

/// `a + b` and the rounding error, exactly (Knuth).
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let bb = s - a;
    (s, (a - (s - bb)) + (b - bb))
}

/// Rounds `s + e`, with `s` nearest and `e` what is missing, to odd.
pub(super) fn to_odd(s: f64, e: f64) -> f64 {
    if e == 0.0 || !s.is_finite() || e.is_nan() {
        return s;
    }
    let bits = s.to_bits();
    let truncated = if (e > 0.0) == (s > 0.0) { bits } else { bits - 1 };
    f64::from_bits(truncated | 1)
}

/// Rounds a double to single.
pub(super) fn to_f32(x: f64, round: Round) -> f32 {
    let nearest = x as f32;
    let back = f64::from(nearest);
    if back == x || x.is_nan() {
        return nearest;
    }
    match round {
        Round::Zero | Round::ZeroInt if back.abs() > x.abs() => f32::from_bits(nearest.to_bits() - 1),
        Round::Down | Round::DownInt if back > x => nearest.next_down(),
        Round::Up | Round::UpInt if back < x => nearest.next_up(),
        _ => nearest,
    }
}

/// Steps a nearest-rounded double whose exact value is `s + e`.
pub(super) fn step(s: f64, e: f64, round: Round) -> f64 {
    if s.is_nan() || e == 0.0 || e.is_nan() {
        return s;
    }
    if s.is_infinite() {
        // An overflow of finite operands: `e` has the sign opposite to `s`.
        return match round {
            Round::Zero => f64::MAX.copysign(s),
            Round::Down if s > 0.0 => f64::MAX,
            Round::Up if s < 0.0 => f64::MIN,
            _ => s,
        };
    }
    match round {
        Round::Zero if s != 0.0 && (e > 0.0) != (s > 0.0) => f64::from_bits(s.to_bits() - 1),
        Round::Down if e < 0.0 => s.next_down(),
        Round::Up if e > 0.0 => s.next_up(),
        _ => s,
    }
}

/// Rounds to an integral value, staying in double.
pub(super) fn integral(x: f64, round: Round) -> f64 {
    match round {
        Round::Zero | Round::ZeroInt => x.trunc(),
        Round::Down | Round::DownInt => x.floor(),
        Round::Up | Round::UpInt => x.ceil(),
        Round::NearestAway => x.round(),
        Round::Nearest | Round::NearestInt => x.round_ties_even(),
    }
}

/// A binary format with `precision` significant bits; half (11, -14, 15) and bfloat16 (8, -126, 127).
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub precision: i32,
    pub min_exponent: i32,
    pub max: f64,
}

/// Rounds a double to a format's values, as a double.
pub(super) fn to_format(x: f64, format: Format, round: Round) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let exponent = (((x.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(format.min_exponent);
    let quantum = 2f64.powi(exponent - (format.precision - 1));
    let rounded = integral(x / quantum, round) * quantum;
    if rounded.abs() > format.max {
        let to_max = match round {
            Round::Zero => true,
            Round::Down => x > 0.0,
            Round::Up => x < 0.0,
            _ => false,
        };
        return if to_max { format.max.copysign(x) } else { f64::INFINITY.copysign(x) };
    }
    if rounded == 0.0 { 0f64.copysign(x) } else { rounded }
}
