//! `cvt`.

use super::body::{Body, Done, Refused};
use super::qualifiers::{int_of, mode, number_of, types};
use super::scope::{Class, Register};
use crate::ptx::{Instruction, Operand, Type};
use crate::simt::code::{Op, Reg};
use crate::simt::scalar::{Half, Int, Mode, Number, Round, Scalar};

impl Body<'_> {
    pub(super) fn convert(&mut self, ins: &Instruction) -> Done {
        if ins.has("pack") {
            return self.convert_pack(ins);
        }
        let all = types(ins);
        let mode = mode(ins);
        if ins.has("tf32") {
            let op = Scalar::Convert { from: Number::F32, to: Number::Tf32, mode };
            return self.scalar(ins, op, Type::B32, &[Type::F32]);
        }
        let [to, from] = all[..] else { return Err(Refused) };
        if matches!(to, Type::F16x2 | Type::Bf16x2) {
            if from != Type::F32 {
                return Err(Refused);
            }
            let half = if to == Type::F16x2 { Half::F16 } else { Half::Bf16 };
            return self.scalar(ins, Scalar::ConvertHalf2 { half, mode }, Type::B32, &[Type::F32; 2]);
        }
        let (source, target) = (number_of(from).ok_or(Refused)?, number_of(to).ok_or(Refused)?);
        // `cvt` reads the low bits of a wider register, and its integer result fills a wider one.
        let a = self.src(Self::operand(ins, 1)?, from)?;
        let d = Self::operand(ins, 0)?;
        let register = match d {
            Operand::Sink => return self.done(),
            other => self.register(other).ok_or(Refused)?,
        };
        let d = self.write(register);
        if let (Number::Int(f), Number::Int(t)) = (source, target) {
            return self.integers(a, f, t, mode, d, register);
        }
        let fast = match (source, target) {
            (Number::Int(Int::S32), Number::F32) if plain(mode) => Op::F32FromS32,
            (Number::Int(Int::U32), Number::F32) if plain(mode) => Op::F32FromU32,
            (Number::Int(Int::S32), Number::F64) if plain(mode) => Op::F64FromS32,
            (Number::Int(Int::U32), Number::F64) if plain(mode) => Op::F64FromU32,
            (Number::F32, Number::F64) if mode == Mode::default() => Op::F64FromF32,
            _ => Op::Nop,
        };
        if fast != Op::Nop {
            self.emit(fast, d, a, 0, 0, 0);
            return self.done();
        }
        let op = Scalar::Convert { from: source, to: target, mode };
        match target {
            Number::Int(t) => {
                let value = self.temp(if t.bits() == 64 { Type::B64 } else { Type::B32 });
                self.unary(op, value, t.bits() == 64, a, from);
                let unsaturated = Mode { sat: false, ..mode };
                self.integers(value, t, t, unsaturated, d, register)
            }
            _ => {
                self.unary(op, d, register.class == Class::W64, a, from);
                self.done()
            }
        }
    }

    fn unary(&mut self, op: Scalar, d: Reg, wide: bool, a: Reg, from: Type) {
        let wide_a = Register::class_of(from) == Class::W64;
        let widths = u8::from(wide) | u8::from(wide_a) << 1 | 1 << 4 | 1 << 5;
        self.emit(Op::Scalar { op, widths }, d, a, 0, 0, 0);
    }

    /// Integer to integer: `a` has the source's class; the result is extended to the register's width.
    fn integers(&mut self, a: Reg, from: Int, to: Int, mode: Mode, d: Reg, register: Register) -> Done {
        let target_bits = u32::from(register.bits);
        if mode.sat && from != to {
            let op = Scalar::Convert { from: Number::Int(from), to: Number::Int(to), mode };
            let value = self.temp(if to.bits() == 64 { Type::B64 } else { Type::B32 });
            let widths = u8::from(to.bits() == 64) | u8::from(from.bits() == 64) << 1 | 1 << 4 | 1 << 5;
            self.emit(Op::Scalar { op, widths }, value, a, 0, 0, 0);
            return self.extend(value, to, d, register);
        }
        if to.bits() > target_bits {
            return Err(Refused);
        }
        match (from.bits(), to.bits(), register.class) {
            (64, 64, Class::W64) => self.emit(Op::Mov64, d, a, 0, 0, 0),
            (32, 64, Class::W64) => {
                self.emit(if from.signed() { Op::SignExtend64 } else { Op::ZeroExtend64 }, d, a, 0, 0, 0);
            }
            (64, 32, Class::W32) => self.emit(Op::Truncate32, d, a, 0, 0, 0),
            (32, 32, Class::W32) => self.emit(Op::Mov32, d, a, 0, 0, 0),
            (64, _, _) => {
                let low = self.temp(Type::B32);
                self.emit(Op::Truncate32, low, a, 0, 0, 0);
                return self.extend(low, to, d, register);
            }
            // Widening reads the source with its sign; narrowing cuts, then the result's sign fills the register.
            (f, t, _) if t > f => {
                let word = self.temp(Type::B32);
                self.sign_or_zero(word, a, from);
                if t == 64 {
                    let op = if from.signed() { Op::SignExtend64 } else { Op::ZeroExtend64 };
                    self.emit(op, d, word, 0, 0, 0);
                    return self.done();
                }
                return self.extend(word, to, d, register);
            }
            _ => return self.extend(a, to, d, register),
        }
        self.done()
    }

    /// Cuts a 32-bit row to `to` and fills the register above it.
    fn extend(&mut self, a: Reg, to: Int, d: Reg, register: Register) -> Done {
        match (to.bits(), register.class, register.bits) {
            (64, Class::W64, _) => self.emit(Op::Mov64, d, a, 0, 0, 0),
            (_, Class::W64, _) => {
                let word = self.temp(Type::B32);
                self.sign_or_zero(word, a, to);
                let op = if to.signed() { Op::SignExtend64 } else { Op::ZeroExtend64 };
                self.emit(op, d, word, 0, 0, 0);
            }
            (_, Class::W32, 32) => self.sign_or_zero(d, a, to),
            (_, Class::W32, _) => {
                // A 16-bit register keeps its row's upper half zero.
                let word = self.temp(Type::B32);
                self.sign_or_zero(word, a, to);
                self.emit(Op::Low16, d, word, 0, 0, 0);
            }
            _ => return Err(Refused),
        }
        self.done()
    }

    fn sign_or_zero(&mut self, d: Reg, a: Reg, from: Int) {
        let op = match from {
            Int::U8 => Op::Low8,
            Int::S8 => Op::Sign8,
            Int::U16 => Op::Low16,
            Int::S16 => Op::Sign16,
            _ => Op::Mov32,
        };
        self.emit(op, d, a, 0, 0, 0);
    }

    /// `cvt.pack.sat.T.s32[.b32] d, a, b[, c]`.
    fn convert_pack(&mut self, ins: &Instruction) -> Done {
        let narrow = ["u16", "s16", "u8", "s8"];
        let name = ins.qualifiers.iter().find(|q| narrow.contains(&q.as_str())).ok_or(Refused)?;
        let to = super::qualifiers::type_named(name).and_then(int_of).ok_or(Refused)?;
        let operands = &[Type::B32; 3][..ins.operands.len().clamp(3, 4) - 1];
        self.scalar(ins, Scalar::PackIntegers(to), Type::B32, operands)
    }
}

/// Integers up to 32 bits to single (nearest) or double (exact).
fn plain(mode: Mode) -> bool {
    mode == Mode { round: Round::Nearest, ..Mode::default() }
}
