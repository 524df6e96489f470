//! Double-precision arithmetic in the directed rounding modes, by integers of 128 bits.
//!
//! Each function gives `None` where the host's own operation is the answer already: rounding to nearest, and
//! operands or results that no rounding concerns (NaN, infinities, exact zeros).

use super::round::Round;

/// A nonzero magnitude `bits * 2^exponent`, of which the lowest bit also stands for anything lost below it.
#[derive(Clone, Copy)]
struct Magnitude {
    negative: bool,
    bits: u128,
    exponent: i32,
}

const FRACTION: u64 = (1 << 52) - 1;

fn directed(round: Round) -> bool {
    matches!(round, Round::Zero | Round::Down | Round::Up)
}

/// A finite nonzero double, exactly.
fn take_apart(x: f64) -> Option<Magnitude> {
    if x == 0.0 || !x.is_finite() {
        return None;
    }
    let bits = x.to_bits();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & FRACTION;
    let (bits, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    Some(Magnitude { negative: x.is_sign_negative(), bits: u128::from(bits), exponent })
}

/// The top bit at position 125: room for a carry, and plenty below.
fn normalise(m: Magnitude) -> Magnitude {
    let shift = m.bits.leading_zeros() as i32 - 2;
    let bits = if shift >= 0 { m.bits << shift } else { shift_right(m.bits, shift.unsigned_abs()) };
    Magnitude { bits, exponent: m.exponent - shift, ..m }
}

/// Shifts right; what falls off stays visible in the lowest bit.
fn shift_right(bits: u128, by: u32) -> u128 {
    match by {
        0 => bits,
        1..=127 => bits >> by | u128::from(bits & ((1 << by) - 1) != 0),
        _ => u128::from(bits != 0),
    }
}

/// Rounds to a double.
fn put_together(m: Magnitude, round: Round) -> f64 {
    let m = normalise(m);
    // The value of the top bit's position decides how many bits a double can keep.
    let top = m.exponent + 125;
    let lowest = (top - 52).max(-1074);
    let drop = lowest - m.exponent;
    let kept = if drop >= 128 { 0 } else { (m.bits >> drop) as u64 };
    let inexact = drop >= 128 || m.bits & ((1u128 << drop) - 1) != 0;
    let away = match round {
        Round::Down => m.negative,
        Round::Up => !m.negative,
        _ => false,
    };
    let kept = kept + u64::from(inexact && away);
    let sign = if m.negative { -1.0 } else { 1.0 };
    if top > 1023 || (top == 1023 && kept == 1 << 53) {
        return sign * if away { f64::INFINITY } else { f64::MAX };
    }
    let bits = if lowest == -1074 && kept < 1 << 52 {
        kept
    } else if kept == 1 << 53 {
        ((lowest + 1076) as u64) << 52
    } else {
        ((lowest + 1075) as u64) << 52 | (kept & FRACTION)
    };
    f64::from_bits(bits | u64::from(m.negative) << 63)
}

/// The sum of two magnitudes; `None` when it is zero.
fn add(a: Magnitude, b: Magnitude) -> Option<Magnitude> {
    let (a, b) = (normalise(a), normalise(b));
    let (high, low) = if (a.exponent, a.bits) >= (b.exponent, b.bits) { (a, b) } else { (b, a) };
    let low_bits = shift_right(low.bits, (high.exponent - low.exponent) as u32);
    let bits = if high.negative == low.negative { high.bits + low_bits } else { high.bits - low_bits };
    (bits != 0).then_some(Magnitude { bits, ..high })
}

fn zero(round: Round) -> f64 {
    if round == Round::Down { -0.0 } else { 0.0 }
}

/// `x + y`.
pub(super) fn sum(x: f64, y: f64, round: Round) -> Option<f64> {
    if !directed(round) {
        return None;
    }
    if x == 0.0 && y == 0.0 && x.is_sign_negative() != y.is_sign_negative() {
        return Some(zero(round));
    }
    let (a, b) = (take_apart(x)?, take_apart(y)?);
    Some(add(a, b).map_or_else(|| zero(round), |m| put_together(m, round)))
}

fn multiply(x: f64, y: f64) -> Option<Magnitude> {
    let (a, b) = (take_apart(x)?, take_apart(y)?);
    let negative = a.negative != b.negative;
    Some(Magnitude { negative, bits: a.bits * b.bits, exponent: a.exponent + b.exponent })
}

/// `x * y`.
pub(super) fn product(x: f64, y: f64, round: Round) -> Option<f64> {
    if !directed(round) {
        return None;
    }
    Some(put_together(multiply(x, y)?, round))
}

/// `x * y + z`.
pub(super) fn fused(x: f64, y: f64, z: f64, round: Round) -> Option<f64> {
    if !directed(round) {
        return None;
    }
    if z == 0.0 {
        if x == 0.0 || y == 0.0 {
            let negative = x.is_sign_negative() != y.is_sign_negative();
            let finite = x.is_finite() && y.is_finite();
            return (finite && negative != z.is_sign_negative()).then(|| zero(round));
        }
        return product(x, y, round);
    }
    let product = multiply(x, y)?;
    Some(add(product, take_apart(z)?).map_or_else(|| zero(round), |m| put_together(m, round)))
}

/// `x / y`.
pub(super) fn quotient(x: f64, y: f64, round: Round) -> Option<f64> {
    if !directed(round) {
        return None;
    }
    let (a, b) = (take_apart(x)?, take_apart(y)?);
    // At least 73 bits more than a divisor has: enough for any double, and the remainder says whether there is more.
    let shift = a.bits.leading_zeros() - 1;
    let dividend = a.bits << shift;
    let bits = (dividend / b.bits) | u128::from(!dividend.is_multiple_of(b.bits));
    let exponent = a.exponent - shift as i32 - b.exponent;
    Some(put_together(Magnitude { negative: a.negative != b.negative, bits, exponent }, round))
}

/// The square root.
pub(super) fn root(x: f64, round: Round) -> Option<f64> {
    if !directed(round) || x < 0.0 {
        return None;
    }
    let a = take_apart(x)?;
    let mut shift = a.bits.leading_zeros() as i32 - 1;
    if (a.exponent - shift) % 2 != 0 {
        shift -= 1;
    }
    let radicand = a.bits << shift;
    let root = radicand.isqrt();
    let bits = root << 1 | u128::from(root * root != radicand);
    Some(put_together(Magnitude { negative: false, bits, exponent: (a.exponent - shift) / 2 - 1 }, round))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(near: f64, by: &dyn Fn(Round) -> Option<f64>) {
        let (down, up, zero) = (by(Round::Down), by(Round::Up), by(Round::Zero));
        let (Some(down), Some(up), Some(zero)) = (down, up, zero) else { panic!("{near}") };
        assert!(down <= near && near <= up, "{down} {near} {up}");
        assert!(down == up || down.next_up() == up, "{down:e} {up:e}");
        assert!(zero == if down >= 0.0 { down } else { up }, "{zero:e}");
    }

    /// Rounding down and up enclose the nearest result, one unit apart when it is inexact.
    #[test]
    fn directed_results_enclose_the_nearest() {
        let values = [1.0, -3.0, 0.1, 1e300, -1e-300, 5e-324, f64::MAX, 7.25, 1.0 / 3.0, -2.5e-310, 4e-160];
        for x in values {
            for y in values {
                check(x + y, &|r| sum(x, y, r));
                check(x * y, &|r| product(x, y, r));
                check(x / y, &|r| quotient(x, y, r));
                for z in values {
                    check(x.mul_add(y, z), &|r| fused(x, y, z, r));
                }
            }
            check(x.abs().sqrt(), &|r| root(x.abs(), r));
        }
    }
}
