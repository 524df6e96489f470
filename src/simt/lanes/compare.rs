//! Comparisons.

use super::map::mask2;
use crate::simt::code::{Cmp, CmpType};
use crate::simt::rows::{Row32, Row64};
use crate::simt::scalar::{Half, compare_halves};

impl Cmp {
    /// By PTX name; `lo`, `ls`, `hi`, `hs` are the unsigned ones.
    pub fn named(name: &str) -> Option<Cmp> {
        Some(match name {
            "eq" => Cmp::Eq,
            "ne" => Cmp::Ne,
            "lt" | "lo" => Cmp::Lt,
            "le" | "ls" => Cmp::Le,
            "gt" | "hi" => Cmp::Gt,
            "ge" | "hs" => Cmp::Ge,
            "equ" => Cmp::Equ,
            "neu" => Cmp::Neu,
            "ltu" => Cmp::Ltu,
            "leu" => Cmp::Leu,
            "gtu" => Cmp::Gtu,
            "geu" => Cmp::Geu,
            "num" => Cmp::Num,
            "nan" => Cmp::Nan,
            _ => return None,
        })
    }

    /// Of two numbers that may be NaN: the ordered forms are false then, the `u` forms true.
    #[inline(always)]
    pub fn floats(self, a: f64, b: f64) -> bool {
        let unordered = a.is_nan() || b.is_nan();
        match self {
            Cmp::Eq => a == b,
            // `ne` is false for NaN in PTX, unlike `!=`.
            Cmp::Ne => !unordered && a != b,
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
            Cmp::Gt => a > b,
            Cmp::Ge => a >= b,
            Cmp::Equ => unordered || a == b,
            Cmp::Neu => a != b,
            Cmp::Ltu => unordered || a < b,
            Cmp::Leu => unordered || a <= b,
            Cmp::Gtu => unordered || a > b,
            Cmp::Geu => unordered || a >= b,
            Cmp::Num => !unordered,
            Cmp::Nan => unordered,
        }
    }
}

/// Compares rows as the type that `as_type` makes of their bits.
#[inline(always)]
fn order<A: Copy, T: PartialOrd>(cmp: Cmp, a: &[A; 32], b: &[A; 32], as_type: impl Fn(A) -> T) -> u32 {
    match cmp {
        Cmp::Eq | Cmp::Equ => mask2(a, b, |a, b| as_type(a) == as_type(b)),
        Cmp::Ne | Cmp::Neu => mask2(a, b, |a, b| as_type(a) != as_type(b)),
        Cmp::Lt | Cmp::Ltu => mask2(a, b, |a, b| as_type(a) < as_type(b)),
        Cmp::Le | Cmp::Leu => mask2(a, b, |a, b| as_type(a) <= as_type(b)),
        Cmp::Gt | Cmp::Gtu => mask2(a, b, |a, b| as_type(a) > as_type(b)),
        Cmp::Ge | Cmp::Geu => mask2(a, b, |a, b| as_type(a) >= as_type(b)),
        Cmp::Num => u32::MAX,
        Cmp::Nan => 0,
    }
}

/// `setp` on 32-bit rows.
#[inline(always)]
pub(super) fn compare32(ty: CmpType, cmp: Cmp, a: &Row32, b: &Row32) -> u32 {
    match ty {
        CmpType::S32 => order(cmp, a, b, |x| x as i32),
        CmpType::U32 => order(cmp, a, b, |x| x),
        CmpType::S16 => order(cmp, a, b, |x| x as i16),
        CmpType::U16 => order(cmp, a, b, |x| x as u16),
        // The ordered comparisons of floats are Rust's own, but for `ne`.
        CmpType::F32 if matches!(cmp, Cmp::Eq | Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge | Cmp::Neu) => {
            order(cmp, a, b, f32::from_bits)
        }
        CmpType::F32 => mask2(a, b, |a, b| cmp.floats(single(a), single(b))),
        CmpType::F32Ftz => mask2(a, b, |a, b| cmp.floats(flushed(a), flushed(b))),
        CmpType::F16 => mask2(a, b, |a, b| compare_halves(Half::F16, cmp, false, a as u16, b as u16)),
        CmpType::Bf16 => mask2(a, b, |a, b| compare_halves(Half::Bf16, cmp, false, a as u16, b as u16)),
        CmpType::S64 | CmpType::U64 | CmpType::F64 => 0,
    }
}

/// `setp` on 64-bit rows.
#[inline(always)]
pub(super) fn compare64(ty: CmpType, cmp: Cmp, a: &Row64, b: &Row64) -> u32 {
    match ty {
        CmpType::S64 => order(cmp, a, b, |x| x as i64),
        CmpType::F64 => mask2(a, b, |a, b| cmp.floats(f64::from_bits(a), f64::from_bits(b))),
        _ => order(cmp, a, b, |x| x),
    }
}

fn single(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

fn flushed(bits: u32) -> f64 {
    let x = f32::from_bits(bits);
    if x.is_subnormal() { 0.0 } else { f64::from(x) }
}
