//! The scalar operations' names, and the dispatch to their meaning.

use super::convert::{convert, convert_pack_integers, convert_pack2};
use super::float::{f32_op, f64_op};
use super::half::{half_op, half2_op};
use super::integer as int;
use super::round::Round;

/// An integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) enum Int {
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
}

impl Int {
    pub fn bits(self) -> u32 {
        match self {
            Int::U8 | Int::S8 => 8,
            Int::U16 | Int::S16 => 16,
            Int::U32 | Int::S32 => 32,
            Int::U64 | Int::S64 => 64,
        }
    }

    pub fn signed(self) -> bool {
        matches!(self, Int::S8 | Int::S16 | Int::S32 | Int::S64)
    }

    /// The value that the low bits stand for.
    pub fn value(self, bits: u64) -> i128 {
        let shift = 64 - self.bits();
        if self.signed() {
            i128::from(((bits << shift) as i64) >> shift)
        } else {
            i128::from((bits << shift) >> shift)
        }
    }

    /// The low bits of a value, the rest zero.
    pub fn wrap(self, value: i128) -> u64 {
        (value as u64) & (u64::MAX >> (64 - self.bits()))
    }

    pub fn min(self) -> i128 {
        if self.signed() { -(1i128 << (self.bits() - 1)) } else { 0 }
    }

    pub fn max(self) -> i128 {
        if self.signed() { (1i128 << (self.bits() - 1)) - 1 } else { (1i128 << self.bits()) - 1 }
    }

    pub fn saturate(self, value: i128) -> u64 {
        self.wrap(value.clamp(self.min(), self.max()))
    }
}

/// A number format that `cvt` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) enum Number {
    Int(Int),
    F16,
    Bf16,
    Tf32,
    F32,
    F64,
}

/// Two-element half formats and their one-element ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) enum Half {
    F16,
    Bf16,
}

/// A floating-point operation; operands are a, b, c in PTX order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) enum Float {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Rcp,
    Sqrt,
    Min,
    Max,
    Min3,
    Max3,
    Abs,
    Neg,
    CopySign,
    RcpApprox,
    RsqrtApprox,
    SqrtApprox,
    DivApprox,
    DivFull,
    Sin,
    Cos,
    Ex2,
    Lg2,
    Tanh,
}

/// The qualifiers of a floating-point operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::simt) struct Mode {
    pub round: Round,
    /// Subnormal inputs and results become zero of the same sign.
    pub ftz: bool,
    /// Clamp to [0, 1], NaN to 0.
    pub sat: bool,
    /// `.NaN`: a NaN operand gives NaN.
    pub nan: bool,
    /// `.relu`: clamp to 0 below, NaN stays canonical.
    pub relu: bool,
    /// `.abs` and `.xorsign.abs` of min and max.
    pub abs: bool,
    pub xorsign: bool,
}

/// `testp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) enum Testp {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// `prmt` modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) enum Permute {
    Index,
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) enum Scalar {
    Add(Int),
    AddSat,
    Sub(Int),
    SubSat,
    MulLo(Int),
    MulHi(Int),
    MulWide16(bool),
    MadLo(Int),
    MadHi(Int),
    MadHiSat,
    MadWide16(bool),
    Mul24 {
        signed: bool,
        high: bool,
    },
    Mad24 {
        signed: bool,
        high: bool,
        saturate: bool,
    },
    Div(Int),
    Rem(Int),
    Abs(Int),
    Neg(Int),
    Min(Int),
    Max(Int),
    /// `min.relu.s32` / `max.relu.s32`.
    MinRelu,
    MaxRelu,
    Shl(Int),
    Shr(Int),
    Not16,
    Cnot(Int),
    Popc32,
    Popc64,
    Clz32,
    Clz64,
    Brev32,
    Brev64,
    Bfind {
        int: Int,
        shift_amount: bool,
    },
    Bfe(Int),
    Bfi {
        wide: bool,
    },
    Fns,
    Bmsk {
        wrap: bool,
    },
    Szext {
        signed: bool,
        wrap: bool,
    },
    Sad(Int),
    Shf {
        left: bool,
        wrap: bool,
    },
    Prmt(Permute),
    Lop3(u8),
    Dp4a {
        a: bool,
        b: bool,
    },
    Dp2a {
        a: bool,
        b: bool,
        high: bool,
    },
    Slct {
        float: bool,
        ftz: bool,
    },
    /// `add`, `min`, `max` on two 16-bit halves.
    Pair16 {
        op: Pair16,
        signed: bool,
    },
    F32(Float, Mode),
    F64(Float, Mode),
    Half(Half, Float, Mode),
    Half2(Half, Float, Mode),
    TestpF32(Testp),
    TestpF64(Testp),
    Convert {
        from: Number,
        to: Number,
        mode: Mode,
    },
    /// `cvt.rn.f16x2.f32 d, a, b`: a in the upper half.
    ConvertHalf2 {
        half: Half,
        mode: Mode,
    },
    /// `cvt.pack.sat.T.s32[.b32]`.
    PackIntegers(Int),
    /// Shift-insert for packing moves: `(a & low) | b << bits`.
    Join {
        bits: u8,
    },
    /// `(a >> offset)` cut to `bits`.
    Cut {
        offset: u8,
        bits: u8,
    },
    /// Half comparison with a 32-bit mask or 16-bit result comes from `setp`; this packs two results.
    SetHalf2 {
        half: Half,
        cmp: super::super::code::Cmp,
        float: bool,
        ftz: bool,
    },
    Video(super::video::Video),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) enum Pair16 {
    Add,
    Min,
    Max,
}

impl Scalar {
    /// One lane's result, in the low bits.
    pub fn eval(self, a: u64, b: u64, c: u64) -> u64 {
        match self {
            Scalar::Add(t) => t.wrap(t.value(a) + t.value(b)),
            Scalar::AddSat => Int::S32.saturate(Int::S32.value(a) + Int::S32.value(b)),
            Scalar::Sub(t) => t.wrap(t.value(a) - t.value(b)),
            Scalar::SubSat => Int::S32.saturate(Int::S32.value(a) - Int::S32.value(b)),
            Scalar::MulLo(t) => int::mul_lo(t, a, b),
            Scalar::MulHi(t) => int::mul_hi(t, a, b),
            Scalar::MulWide16(signed) => int::mul_wide16(signed, a, b),
            Scalar::MadLo(t) => t.wrap(i128::from(int::mul_lo(t, a, b)) + t.value(c)),
            Scalar::MadHi(t) => t.wrap(t.value(int::mul_hi(t, a, b)) + t.value(c)),
            Scalar::MadHiSat => {
                Int::S32.saturate(Int::S32.value(int::mul_hi(Int::S32, a, b)) + Int::S32.value(c))
            }
            Scalar::MadWide16(signed) => {
                u64::from((int::mul_wide16(signed, a, b) as u32).wrapping_add(c as u32))
            }
            Scalar::Mul24 { signed, high } => int::mul24(signed, high, a, b),
            Scalar::Mad24 { signed, high, saturate } => {
                let product = int::mul24(signed, high, a, b);
                let t = if signed { Int::S32 } else { Int::U32 };
                let sum = t.value(product) + t.value(c);
                if saturate { t.saturate(sum) } else { t.wrap(sum) }
            }
            Scalar::Div(t) => int::div(t, a, b),
            Scalar::Rem(t) => int::rem(t, a, b),
            Scalar::Abs(t) => t.wrap(t.value(a).abs()),
            Scalar::Neg(t) => t.wrap(-t.value(a)),
            Scalar::Min(t) => t.wrap(t.value(a).min(t.value(b))),
            Scalar::Max(t) => t.wrap(t.value(a).max(t.value(b))),
            Scalar::MinRelu => Int::S32.wrap(Int::S32.value(a).min(Int::S32.value(b)).max(0)),
            Scalar::MaxRelu => Int::S32.wrap(Int::S32.value(a).max(Int::S32.value(b)).max(0)),
            Scalar::Shl(t) => int::shl(t, a, b),
            Scalar::Shr(t) => int::shr(t, a, b),
            Scalar::Not16 => !a & 0xffff,
            Scalar::Cnot(t) => u64::from(t.wrap(i128::from(a)) == 0),
            Scalar::Popc32 => u64::from((a as u32).count_ones()),
            Scalar::Popc64 => u64::from(a.count_ones()),
            Scalar::Clz32 => u64::from((a as u32).leading_zeros()),
            Scalar::Clz64 => u64::from(a.leading_zeros()),
            Scalar::Brev32 => u64::from((a as u32).reverse_bits()),
            Scalar::Brev64 => a.reverse_bits(),
            Scalar::Bfind { int: t, shift_amount } => int::bfind(t, shift_amount, a),
            Scalar::Bfe(t) => int::bfe(t, a, b, c),
            Scalar::Bfi { wide } => int::bfi(wide, a, b, c),
            Scalar::Fns => int::fns(a as u32, b as u32, c as i32),
            Scalar::Bmsk { wrap } => int::bmsk(wrap, a as u32, b as u32),
            Scalar::Szext { signed, wrap } => int::szext(signed, wrap, a as u32, b as u32),
            Scalar::Sad(t) => t.wrap((t.value(a) - t.value(b)).abs() + t.value(c)),
            Scalar::Shf { left, wrap } => int::shf(left, wrap, a as u32, b as u32, c as u32),
            Scalar::Prmt(mode) => int::prmt(mode, a as u32, b as u32, c as u32),
            Scalar::Lop3(table) => int::lop3(table, a as u32, b as u32, c as u32),
            Scalar::Dp4a { a: sa, b: sb } => int::dp4a(sa, sb, a as u32, b as u32, c as u32),
            Scalar::Dp2a { a: sa, b: sb, high } => int::dp2a(sa, sb, high, a as u32, b as u32, c as u32),
            Scalar::Slct { float, ftz } => int::slct(float, ftz, a, b, c as u32),
            Scalar::Pair16 { op, signed } => int::pair16(op, signed, a as u32, b as u32),
            Scalar::F32(op, mode) => u64::from(f32_op(op, mode, a as u32, b as u32, c as u32)),
            Scalar::F64(op, mode) => f64_op(op, mode, a, b, c),
            Scalar::Half(half, op, mode) => u64::from(half_op(half, op, mode, a as u16, b as u16, c as u16)),
            Scalar::Half2(half, op, mode) => {
                u64::from(half2_op(half, op, mode, a as u32, b as u32, c as u32))
            }
            Scalar::TestpF32(test) => u64::from(int::testp(test, a << 32, 8, 55)),
            Scalar::TestpF64(test) => u64::from(int::testp(test, a, 11, 52)),
            Scalar::Convert { from, to, mode } => convert(from, to, mode, a),
            Scalar::ConvertHalf2 { half, mode } => convert_pack2(half, mode, a as u32, b as u32),
            Scalar::PackIntegers(t) => convert_pack_integers(t, a as u32, b as u32, c as u32),
            Scalar::Join { bits } => (a & ((1 << bits) - 1)) | (b << bits),
            Scalar::Cut { offset, bits } => (a >> offset) & (u64::MAX >> (64 - u32::from(bits))),
            Scalar::SetHalf2 { half, cmp, float, ftz } => {
                super::half::set_half2(half, cmp, float, ftz, a as u32, b as u32)
            }
            Scalar::Video(video) => video.eval(a as u32, b as u32, c as u32),
        }
    }
}
