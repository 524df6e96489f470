//! The approximate functions.
//!
//! The hardware's own tables are not published; PTX gives error bounds, and any value inside them is right.
//! Here each function is computed in double precision and rounded once, so every result is within one unit in
//! the last place of the true value, which is inside all of PTX's bounds: `rcp.approx` 1 ulp, `rsqrt.approx`
//! 2^-22.9 relative, `sqrt.approx` 2^-23 relative, `div.full` 2 ulp, `div.approx` 2 ulp, `ex2.approx` 2 ulp,
//! `lg2.approx` 2^-22.6, `sin`/`cos.approx` 2^-20.5 absolute in [-pi, pi], `tanh.approx` 2^-11 relative,
//! `rcp.approx.ftz.f64` and `rsqrt.approx.f64` (which the hardware gives to about 20 bits) likewise better.

use super::operation::Float;

pub(super) fn f32(op: Float, a: f32, b: f32) -> f32 {
    let x = f64::from(a);
    (match op {
        Float::RcpApprox => 1.0 / x,
        Float::RsqrtApprox => {
            // -0 gives -infinity, as PTX's table says.
            if a == 0.0 { f64::INFINITY.copysign(x) } else { 1.0 / x.sqrt() }
        }
        Float::SqrtApprox => x.sqrt(),
        Float::DivApprox => {
            // For 2^126 < |b| < 2^128, `div.approx` gives 0 (NaN for an infinite dividend); `div.full` scales.
            x / f64::from(b)
        }
        Float::Sin => x.sin(),
        Float::Cos => x.cos(),
        Float::Ex2 => x.exp2(),
        Float::Lg2 => x.log2(),
        Float::Tanh => x.tanh(),
        _ => f64::NAN,
    }) as f32
}

pub(super) fn f64(op: Float, x: f64) -> f64 {
    match op {
        Float::RcpApprox => {
            // `rcp.approx.ftz.f64` reads and writes the upper word only.
            let x = f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000);
            f64::from_bits((1.0 / x).to_bits() & 0xffff_ffff_0000_0000)
        }
        Float::RsqrtApprox => {
            if x == 0.0 {
                f64::INFINITY.copysign(x)
            } else {
                f64::from_bits((1.0 / x.sqrt()).to_bits() & 0xffff_ffff_0000_0000)
            }
        }
        _ => f64::NAN,
    }
}
