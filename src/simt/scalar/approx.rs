//! The approximate functions.
//!
//! The hardware's own tables are not published; PTX gives error bounds, and any value inside them is right.
//! Here each function is computed in double precision and rounded once, so every result is within one unit in
//! the last place of the true value, which is inside all of PTX's bounds: `rcp.approx` 1 ulp, `rsqrt.approx`
//! 2^-22.9 relative, `sqrt.approx` 2^-23 relative, `div.full` 2 ulp, `div.approx` 2 ulp, `ex2.approx` 2 ulp,
//! `lg2.approx` 2^-22.6, `tanh.approx` 2^-11 relative, `rcp.approx.ftz.f64` and `rsqrt.approx.f64` 2^-20 or so.
//! An H200 gave the same single-precision results within 2 ulp (`lg2` 12 near 1, `tanh` 118) on 512 values each.
//!
//! `sin.approx` and `cos.approx` (2^-20.5 absolute in [-pi, pi]) turn the angle into revolutions in single precision
//! first, as the hardware does: for large angles the result is far from the true sine, here as there.

use super::operation::Float;

pub(super) fn f32(op: Float, a: f32, b: f32) -> f32 {
    let x = f64::from(a);
    (match op {
        Float::RcpApprox => 1.0 / x,
        // -0 gives -infinity, as PTX's table says.
        Float::RsqrtApprox if a == 0.0 => f64::INFINITY.copysign(x),
        Float::RsqrtApprox => 1.0 / x.sqrt(),
        Float::SqrtApprox => x.sqrt(),
        // A divisor above 2^126 has a reciprocal that is flushed: 0, or NaN for an infinite dividend.
        Float::DivApprox if b.is_finite() && b.abs() > 2f32.powi(126) => x * 0f64.copysign(f64::from(b)),
        Float::DivApprox | Float::DivFull => x / f64::from(b),
        Float::Sin => revolutions(a).sin(),
        Float::Cos => revolutions(a).cos(),
        Float::Ex2 => x.exp2(),
        Float::Lg2 => x.log2(),
        Float::Tanh => x.tanh(),
        _ => f64::NAN,
    }) as f32
}

/// The angle modulo a revolution, as far as single precision can tell.
fn revolutions(a: f32) -> f64 {
    let turns = f64::from(a * (0.5 * std::f32::consts::FRAC_1_PI));
    (turns - turns.trunc()) * std::f64::consts::TAU
}

pub(super) fn f64(op: Float, x: f64) -> f64 {
    match op {
        Float::RcpApprox => {
            // Reads and writes the upper word only, and flushes.
            let y = flush(1.0 / flush(upper(x)));
            if y.is_nan() { f64::from_bits(0x7fff_ffff_0000_0000) } else { upper(y) }
        }
        Float::RsqrtApprox if x == 0.0 => f64::INFINITY.copysign(x),
        Float::RsqrtApprox => 1.0 / x.sqrt(),
        _ => f64::NAN,
    }
}

fn upper(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

fn flush(x: f64) -> f64 {
    if x.is_subnormal() { 0f64.copysign(x) } else { x }
}
