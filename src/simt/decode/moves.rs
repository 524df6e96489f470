//! `mov` with its packing forms, selection and predicate logic.

use super::body::{Body, Done, Refused};
use super::qualifiers::{int_of, types};
use super::scope::{Class, Register};
use crate::ptx::{Instruction, Operand, Type};
use crate::simt::code::{CONST, Op};
use crate::simt::scalar::Scalar;

impl Body<'_> {
    pub(super) fn mov(&mut self, ins: &Instruction) -> Done {
        let ty = *types(ins).first().ok_or(Refused)?;
        let (d, a) = (Self::operand(ins, 0)?, Self::operand(ins, 1)?);
        match (d, a) {
            (_, Operand::Vector(parts)) => self.pack(d, parts, ty),
            (Operand::Vector(parts), _) => self.unpack(parts, a, ty),
            _ => {
                if ty == Type::B128 {
                    return self.move_pair(d, a);
                }
                let a = self.src(a, ty)?;
                let d = self.dst(d, ty)?;
                let op = match Register::class_of(ty) {
                    Class::Pred => Op::MovP,
                    Class::W32 => Op::Mov32,
                    _ => Op::Mov64,
                };
                self.emit(op, d, a, 0, 0, 0);
                self.done()
            }
        }
    }

    fn move_pair(&mut self, d: &Operand, a: &Operand) -> Done {
        let source = self.register(a).filter(|r| r.class == Class::W128).ok_or(Refused)?;
        let a = self.read(source);
        let d = self.dst(d, Type::B128)?;
        self.emit(Op::Mov64, d, a, 0, 0, 0);
        self.emit(Op::Mov64, d + 1, a + 1, 0, 0, 0);
        self.done()
    }

    /// `mov.b64 %rd, {%r1, %r2};`: the first element is the least significant.
    fn pack(&mut self, d: &Operand, parts: &[Operand], ty: Type) -> Done {
        let count = parts.len() as u32;
        if count == 0 || !(ty.bytes() * 8).is_multiple_of(count) {
            return Err(Refused);
        }
        let bits = ty.bytes() * 8 / count;
        if ty == Type::B128 && bits == 64 {
            let (low, high) = (self.src(&parts[0], Type::B64)?, self.src(&parts[1], Type::B64)?);
            let register = self.register(d).filter(|r| r.class == Class::W128).ok_or(Refused)?;
            let d = self.write(register);
            let temp = self.temp(Type::B64);
            self.emit(Op::Mov64, temp, high, 0, 0, 0);
            self.emit(Op::Mov64, d, low, 0, 0, 0);
            self.emit(Op::Mov64, d + 1, temp, 0, 0, 0);
            return self.done();
        }
        let part_type = bits_type(bits)?;
        let wide = ty.bytes() == 8;
        if ty.bytes() > 8 {
            return Err(Refused);
        }
        let mut sum = self.src(&parts[0], part_type)?;
        let mut sum_wide = false;
        for (i, part) in parts.iter().enumerate().skip(1) {
            let next = self.src(part, part_type)?;
            let temp = self.temp(if wide { Type::B64 } else { Type::B32 });
            // Result width; width of a; b is 32-bit unless the parts are 64-bit.
            let widths = u8::from(wide) | u8::from(sum_wide) << 1 | 1 << 4;
            let op = Op::Scalar { op: Scalar::Join { bits: (bits * i as u32) as u8 }, widths };
            self.emit(op, temp, sum, next, 0, 0);
            sum = temp;
            sum_wide = wide;
        }
        let d = self.dst(d, ty)?;
        self.emit(if wide { Op::Mov64 } else { Op::Mov32 }, d, sum, 0, 0, 0);
        self.done()
    }

    fn unpack(&mut self, parts: &[Operand], a: &Operand, ty: Type) -> Done {
        let count = parts.len() as u32;
        if count == 0 || !(ty.bytes() * 8).is_multiple_of(count) {
            return Err(Refused);
        }
        let bits = ty.bytes() * 8 / count;
        if ty == Type::B128 {
            let register = self.register(a).filter(|r| r.class == Class::W128).ok_or(Refused)?;
            let a = self.read(register);
            if bits != 64 {
                return Err(Refused);
            }
            let low = self.temp(Type::B64);
            self.emit(Op::Mov64, low, a, 0, 0, 0);
            let high = self.dst(&parts[1], Type::B64)?;
            self.emit(Op::Mov64, high, a + 1, 0, 0, 0);
            let d = self.dst(&parts[0], Type::B64)?;
            self.emit(Op::Mov64, d, low, 0, 0, 0);
            return self.done();
        }
        let part_type = bits_type(bits)?;
        let a = self.src(a, ty)?;
        let wide = ty.bytes() == 8;
        // The source may be among the destinations: cut everything first.
        let mut cuts = Vec::new();
        for i in 0..count {
            let temp = self.temp(part_type);
            let op = Scalar::Cut { offset: (i * bits) as u8, bits: bits as u8 };
            let widths = u8::from(bits == 64) | u8::from(wide) << 1 | 1 << 4 | 1 << 5;
            self.emit(Op::Scalar { op, widths }, temp, a, 0, 0, 0);
            cuts.push(temp);
        }
        for (part, cut) in parts.iter().zip(cuts) {
            if matches!(part, Operand::Sink) {
                continue;
            }
            let register = self.register(part).ok_or(Refused)?;
            let d = self.write(register);
            let op = match (register.class, bits) {
                (Class::W32, 8..=32) => Op::Mov32,
                (Class::W64, 64) => Op::Mov64,
                _ => return Err(Refused),
            };
            self.emit(op, d, cut, 0, 0, 0);
        }
        self.done()
    }

    /// `selp d, a, b, p`.
    pub(super) fn selp(&mut self, ins: &Instruction) -> Done {
        let ty = *types(ins).first().ok_or(Refused)?;
        let a = self.src(Self::operand(ins, 1)?, ty)?;
        let b = self.src(Self::operand(ins, 2)?, ty)?;
        let p = self.predicate(Self::operand(ins, 3)?)?;
        let d = self.dst(Self::operand(ins, 0)?, ty)?;
        let op = if Register::class_of(ty) == Class::W64 { Op::Sel64 } else { Op::Sel32 };
        self.emit(op, d, a, b, p, 0);
        self.done()
    }

    /// `and`, `or`, `xor`, `not` in all types.
    pub(super) fn logic(&mut self, ins: &Instruction) -> Done {
        let ty = *types(ins).first().ok_or(Refused)?;
        let not = ins.opcode == "not";
        let a = self.src(Self::operand(ins, 1)?, ty)?;
        let b = if not { 0 } else { self.src(Self::operand(ins, 2)?, ty)? };
        let d = self.dst(Self::operand(ins, 0)?, ty)?;
        let op = match (ins.opcode.as_str(), Register::class_of(ty)) {
            ("and", Class::Pred) => Op::AndP,
            ("or", Class::Pred) => Op::OrP,
            ("xor", Class::Pred) => Op::XorP,
            ("not", Class::Pred) => Op::NotP,
            ("and", Class::W32) => Op::And32,
            ("or", Class::W32) => Op::Or32,
            ("xor", Class::W32) => Op::Xor32,
            ("not", Class::W32) if ty.bytes() == 4 => Op::Not32,
            ("not", Class::W32) => Op::Scalar { op: Scalar::Not16, widths: 1 << 4 | 1 << 5 },
            ("and", Class::W64) => Op::And64,
            ("or", Class::W64) => Op::Or64,
            ("xor", Class::W64) => Op::Xor64,
            ("not", Class::W64) => Op::Not64,
            _ => return Err(Refused),
        };
        self.emit(op, d, a, b, 0, 0);
        self.done()
    }

    /// `cnot`.
    pub(super) fn cnot(&mut self, ins: &Instruction) -> Done {
        let ty = *types(ins).first().ok_or(Refused)?;
        let int = int_of(ty).ok_or(Refused)?;
        self.scalar1(ins, Scalar::Cnot(int), ty, ty)
    }

    /// The predicate that always holds.
    pub(super) fn truth(value: bool) -> u32 {
        CONST | u32::from(value)
    }
}

fn bits_type(bits: u32) -> Result<Type, Refused> {
    Ok(match bits {
        8 => Type::B8,
        16 => Type::B16,
        32 => Type::B32,
        64 => Type::B64,
        _ => return Err(Refused),
    })
}
