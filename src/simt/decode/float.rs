//! Floating-point arithmetic in single, double and half precision.

use super::body::{Body, Done, Refused};
use super::qualifiers::{mode, types};
use crate::ptx::{Instruction, Type};
use crate::simt::code::Op;
use crate::simt::scalar::{Float, Half, Mode, Scalar};

impl Body<'_> {
    /// Decodes the instruction if it is floating-point arithmetic; `false` when it is something else.
    pub(super) fn float(&mut self, ins: &Instruction) -> Result<bool, Refused> {
        if ins.has("u16x2") || ins.has("s16x2") {
            self.pair16(ins)?;
            return Ok(true);
        }
        let all = types(ins);
        let Some(&ty) = all.first() else { return Ok(false) };
        let known = matches!(ty, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 | Type::F32 | Type::F64);
        if !known || matches!(ins.opcode.as_str(), "setp" | "set" | "selp" | "slct" | "testp") {
            return Ok(false);
        }
        let approximate = ins.has("approx") || ins.has("full");
        let (op, count) = match ins.opcode.as_str() {
            "add" => (Float::Add, 2),
            "sub" => (Float::Sub, 2),
            "mul" => (Float::Mul, 2),
            "fma" | "mad" => (Float::Fma, 3),
            "div" if ins.has("full") => (Float::DivFull, 2),
            "div" if approximate => (Float::DivApprox, 2),
            "div" => (Float::Div, 2),
            "rcp" if approximate => (Float::RcpApprox, 1),
            "rcp" => (Float::Rcp, 1),
            "sqrt" if approximate => (Float::SqrtApprox, 1),
            "sqrt" => (Float::Sqrt, 1),
            "rsqrt" => (Float::RsqrtApprox, 1),
            "sin" => (Float::Sin, 1),
            "cos" => (Float::Cos, 1),
            "ex2" => (Float::Ex2, 1),
            "lg2" => (Float::Lg2, 1),
            "tanh" => (Float::Tanh, 1),
            "min" if ins.operands.len() == 4 => (Float::Min3, 3),
            "max" if ins.operands.len() == 4 => (Float::Max3, 3),
            "min" => (Float::Min, 2),
            "max" => (Float::Max, 2),
            "abs" => (Float::Abs, 1),
            "neg" => (Float::Neg, 1),
            "copysign" => (Float::CopySign, 2),
            _ => return Ok(false),
        };
        if all.len() > 1 {
            // Mixed-precision forms (`add.f32.bf16`) are not executed.
            return Err(Refused);
        }
        let mode = mode(ins);
        // `abs` as an opcode carries no `.abs` qualifier; keep the modes of min and max apart.
        if let Some((fast, ty)) = fast(op, mode, ty) {
            self.plain(ins, fast, ty, count)?;
            return Ok(true);
        }
        let scalar = match ty {
            Type::F32 => Scalar::F32(op, mode),
            Type::F64 => Scalar::F64(op, mode),
            Type::F16 => Scalar::Half(Half::F16, op, mode),
            Type::Bf16 => Scalar::Half(Half::Bf16, op, mode),
            Type::F16x2 => Scalar::Half2(Half::F16, op, mode),
            _ => Scalar::Half2(Half::Bf16, op, mode),
        };
        let done: Done = self.scalar(ins, scalar, ty, &[ty; 3][..count]);
        done?;
        Ok(true)
    }
}

/// The vectorised form of the common cases.
fn fast(op: Float, mode: Mode, ty: Type) -> Option<(Op, Type)> {
    if mode != Mode::default() {
        return None;
    }
    Some((
        match (op, ty) {
            (Float::Add, Type::F32) => Op::AddF32,
            (Float::Sub, Type::F32) => Op::SubF32,
            (Float::Mul, Type::F32) => Op::MulF32,
            (Float::Fma, Type::F32) => Op::FmaF32,
            (Float::Add, Type::F64) => Op::AddF64,
            (Float::Sub, Type::F64) => Op::SubF64,
            (Float::Mul, Type::F64) => Op::MulF64,
            (Float::Fma, Type::F64) => Op::FmaF64,
            _ => return None,
        },
        ty,
    ))
}
