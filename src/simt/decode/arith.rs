//! Integer arithmetic, shifts, bit operations and comparisons.

use super::body::{Body, Done, Refused};
use super::qualifiers::{int_of, types};
use super::scope::{Class, Register};
use crate::ptx::{Instruction, Operand, Type};
use crate::simt::code::{Cmp, CmpType, Op, Reg};
use crate::simt::scalar::{Half, Int, Pair16, Permute, Scalar, Testp, Video, VideoOp};

impl Body<'_> {
    /// Emits a lane-by-lane operation: result type, then operands with their types.
    pub(super) fn scalar(&mut self, ins: &Instruction, op: Scalar, d: Type, operands: &[Type]) -> Done {
        let mut regs = [0; 3];
        let mut widths = 0;
        for (i, &ty) in operands.iter().enumerate() {
            regs[i] = self.src(Self::operand(ins, i + 1)?, ty)?;
            widths |= u8::from(Register::class_of(ty) == Class::W64) << (i + 1);
        }
        widths |= u8::from(Register::class_of(d) == Class::W64);
        widths |= u8::from(operands.len() < 3) << 4 | u8::from(operands.len() < 2) << 5;
        let d = self.dst(Self::operand(ins, 0)?, d)?;
        self.emit(Op::Scalar { op, widths }, d, regs[0], regs[1], regs[2], 0);
        self.done()
    }

    pub(super) fn scalar1(&mut self, ins: &Instruction, op: Scalar, d: Type, a: Type) -> Done {
        self.scalar(ins, op, d, &[a])
    }

    /// Emits a vectorised operation on `count` operands of one type.
    pub(super) fn plain(&mut self, ins: &Instruction, op: Op, ty: Type, count: usize) -> Done {
        let mut regs = [0; 3];
        for (i, reg) in regs.iter_mut().enumerate().take(count) {
            *reg = self.src(Self::operand(ins, i + 1)?, ty)?;
        }
        let d = self.dst(Self::operand(ins, 0)?, ty)?;
        self.emit(op, d, regs[0], regs[1], regs[2], 0);
        self.done()
    }

    pub(super) fn arithmetic(&mut self, ins: &Instruction) -> Done {
        let all = types(ins);
        let ty = all.first().copied();
        let opcode = ins.opcode.as_str();
        match opcode {
            "setp" => return self.setp(ins),
            "set" => return self.set(ins),
            "selp" => return self.selp(ins),
            "and" | "or" | "xor" | "not" => return self.logic(ins),
            "cnot" => return self.cnot(ins),
            "add" | "sub" | "addc" | "subc" | "madc" if opcode.ends_with('c') || ins.has("cc") => {
                return self.carry(ins);
            }
            "mad" if ins.has("cc") => return self.carry(ins),
            "prmt" => {
                let mode = [
                    ("f4e", Permute::F4e),
                    ("b4e", Permute::B4e),
                    ("rc8", Permute::Rc8),
                    ("ecl", Permute::Ecl),
                    ("ecr", Permute::Ecr),
                    ("rc16", Permute::Rc16),
                ];
                let mode = mode.iter().find(|(name, _)| ins.has(name)).map_or(Permute::Index, |m| m.1);
                return self.scalar(ins, Scalar::Prmt(mode), Type::B32, &[Type::B32; 3]);
            }
            "lop3" => return self.lop3(ins),
            "shf" => {
                let op = Scalar::Shf { left: ins.has("l"), wrap: ins.has("wrap") };
                return self.scalar(ins, op, Type::B32, &[Type::B32; 3]);
            }
            "dp4a" | "dp2a" => {
                let [a, b] = all[..] else { return Err(Refused) };
                let (a, b) = (a == Type::S32, b == Type::S32);
                let op = match opcode {
                    "dp4a" => Scalar::Dp4a { a, b },
                    _ => Scalar::Dp2a { a, b, high: ins.has("hi") },
                };
                return self.scalar(ins, op, Type::B32, &[Type::B32; 3]);
            }
            "slct" => {
                let [d, c] = all[..] else { return Err(Refused) };
                let op = Scalar::Slct { float: c == Type::F32, ftz: ins.has("ftz") };
                return self.scalar(ins, op, d, &[d, d, Type::B32]);
            }
            "testp" => return self.testp(ins),
            "fns" => return self.scalar(ins, Scalar::Fns, Type::B32, &[Type::B32; 3]),
            "bmsk" => {
                return self.scalar(ins, Scalar::Bmsk { wrap: ins.has("wrap") }, Type::B32, &[Type::B32; 2]);
            }
            "szext" => {
                let op = Scalar::Szext { signed: ty == Some(Type::S32), wrap: ins.has("wrap") };
                return self.scalar(ins, op, Type::B32, &[Type::B32; 2]);
            }
            _ if opcode.starts_with('v') => return self.video(ins),
            _ => {}
        }
        let ty = ty.ok_or(Refused)?;
        if ins.has("u16x2") || ins.has("s16x2") {
            return Err(Refused);
        }
        let int = int_of(ty).ok_or(Refused)?;
        let wide = ty.bytes() == 8;
        let word = ty.bytes() == 4;
        let signed = int.signed();
        match opcode {
            "add" if ins.has("sat") => self.scalar(ins, Scalar::AddSat, ty, &[ty; 2]),
            "sub" if ins.has("sat") => self.scalar(ins, Scalar::SubSat, ty, &[ty; 2]),
            "add" if word => self.plain(ins, Op::Add32, ty, 2),
            "add" if wide => self.plain(ins, Op::Add64, ty, 2),
            "add" => self.scalar(ins, Scalar::Add(int), ty, &[ty; 2]),
            "sub" if word => self.plain(ins, Op::Sub32, ty, 2),
            "sub" if wide => self.plain(ins, Op::Sub64, ty, 2),
            "sub" => self.scalar(ins, Scalar::Sub(int), ty, &[ty; 2]),
            "mul" | "mad" => self.multiply(ins, ty, int),
            "mul24" => self.scalar(ins, Scalar::Mul24 { signed, high: ins.has("hi") }, ty, &[ty; 2]),
            "mad24" => {
                let op = Scalar::Mad24 { signed, high: ins.has("hi"), saturate: ins.has("sat") };
                self.scalar(ins, op, ty, &[ty; 3])
            }
            "sad" => self.scalar(ins, Scalar::Sad(int), ty, &[ty; 3]),
            "div" => self.scalar(ins, Scalar::Div(int), ty, &[ty; 2]),
            "rem" => self.scalar(ins, Scalar::Rem(int), ty, &[ty; 2]),
            "abs" => self.scalar(ins, Scalar::Abs(int), ty, &[ty]),
            "neg" => self.scalar(ins, Scalar::Neg(int), ty, &[ty]),
            "min" if ins.has("relu") => self.scalar(ins, Scalar::MinRelu, ty, &[ty; 2]),
            "max" if ins.has("relu") => self.scalar(ins, Scalar::MaxRelu, ty, &[ty; 2]),
            "min" if word => self.plain(ins, if signed { Op::MinS32 } else { Op::MinU32 }, ty, 2),
            "max" if word => self.plain(ins, if signed { Op::MaxS32 } else { Op::MaxU32 }, ty, 2),
            "min" => self.scalar(ins, Scalar::Min(int), ty, &[ty; 2]),
            "max" => self.scalar(ins, Scalar::Max(int), ty, &[ty; 2]),
            "shl" | "shr" => self.shift(ins, ty, int),
            "popc" => {
                let op = if wide { Scalar::Popc64 } else { Scalar::Popc32 };
                self.scalar(ins, op, Type::B32, &[ty])
            }
            "clz" => {
                let op = if wide { Scalar::Clz64 } else { Scalar::Clz32 };
                self.scalar(ins, op, Type::B32, &[ty])
            }
            "brev" => self.scalar(ins, if wide { Scalar::Brev64 } else { Scalar::Brev32 }, ty, &[ty]),
            "bfind" => {
                let op = Scalar::Bfind { int, shift_amount: ins.has("shiftamt") };
                self.scalar(ins, op, Type::B32, &[ty])
            }
            "bfe" => self.scalar(ins, Scalar::Bfe(int), ty, &[ty, Type::B32, Type::B32]),
            "bfi" => self.bfi(ins, ty),
            _ => Err(Refused),
        }
    }

    fn multiply(&mut self, ins: &Instruction, ty: Type, int: Int) -> Done {
        let mad = ins.opcode == "mad";
        let count = if mad { 3 } else { 2 };
        let signed = int.signed();
        if ins.has("wide") {
            let (product, op, scalar) = match (ty.bytes(), mad) {
                (4, false) => (Type::B64, if signed { Op::MulWideS } else { Op::MulWideU }, None),
                (4, true) => (Type::B64, if signed { Op::MadWideS } else { Op::MadWideU }, None),
                (2, false) => (Type::B32, Op::Nop, Some(Scalar::MulWide16(signed))),
                (2, true) => (Type::B32, Op::Nop, Some(Scalar::MadWide16(signed))),
                _ => return Err(Refused),
            };
            if let Some(scalar) = scalar {
                let operands = [ty, ty, product];
                return self.scalar(ins, scalar, product, &operands[..count]);
            }
            let a = self.src(Self::operand(ins, 1)?, ty)?;
            let b = self.src(Self::operand(ins, 2)?, ty)?;
            let c = if mad { self.src(Self::operand(ins, 3)?, product)? } else { 0 };
            let d = self.dst(Self::operand(ins, 0)?, product)?;
            self.emit(op, d, a, b, c, 0);
            return self.done();
        }
        if ins.has("hi") {
            let op = match (mad, ins.has("sat")) {
                (false, _) => Scalar::MulHi(int),
                (true, false) => Scalar::MadHi(int),
                (true, true) => Scalar::MadHiSat,
            };
            return self.scalar(ins, op, ty, &[ty; 3][..count]);
        }
        match (ty.bytes(), mad) {
            (4, false) => self.plain(ins, Op::Mul32, ty, 2),
            (4, true) => self.plain(ins, Op::Mad32, ty, 3),
            (8, false) => self.plain(ins, Op::Mul64, ty, 2),
            (8, true) => self.plain(ins, Op::Mad64, ty, 3),
            (_, false) => self.scalar(ins, Scalar::MulLo(int), ty, &[ty; 2]),
            (_, true) => self.scalar(ins, Scalar::MadLo(int), ty, &[ty; 3]),
        }
    }

    fn shift(&mut self, ins: &Instruction, ty: Type, int: Int) -> Done {
        let left = ins.opcode == "shl";
        let op = match (ty.bytes(), left, int.signed()) {
            (4, true, _) => Op::Shl32,
            (4, false, false) => Op::ShrU32,
            (4, false, true) => Op::ShrS32,
            (8, true, _) => Op::Shl64,
            (8, false, false) => Op::ShrU64,
            (8, false, true) => Op::ShrS64,
            (_, true, _) => return self.scalar(ins, Scalar::Shl(int), ty, &[ty, Type::B32]),
            (_, false, _) => return self.scalar(ins, Scalar::Shr(int), ty, &[ty, Type::B32]),
        };
        let a = self.src(Self::operand(ins, 1)?, ty)?;
        let b = self.src(Self::operand(ins, 2)?, Type::B32)?;
        let d = self.dst(Self::operand(ins, 0)?, ty)?;
        self.emit(op, d, a, b, 0, 0);
        self.done()
    }

    /// `bfi d, a, b, position, length`: position and length travel together.
    fn bfi(&mut self, ins: &Instruction, ty: Type) -> Done {
        let a = self.src(Self::operand(ins, 1)?, ty)?;
        let b = self.src(Self::operand(ins, 2)?, ty)?;
        let position = self.src(Self::operand(ins, 3)?, Type::B32)?;
        let length = self.src(Self::operand(ins, 4)?, Type::B32)?;
        let byte = self.constant(0xff, Class::W32);
        let eight = self.constant(8, Class::W32);
        let [p, l, both] = [(); 3].map(|()| self.temp(Type::B32));
        self.emit(Op::And32, p, position, byte, 0, 0);
        self.emit(Op::And32, l, length, byte, 0, 0);
        self.emit(Op::Shl32, l, l, eight, 0, 0);
        self.emit(Op::Or32, both, p, l, 0, 0);
        let wide = ty.bytes() == 8;
        let d = self.dst(Self::operand(ins, 0)?, ty)?;
        let widths = if wide { 0b0111 } else { 0 };
        self.emit(Op::Scalar { op: Scalar::Bfi { wide }, widths }, d, a, b, both, 0);
        self.done()
    }

    /// `lop3.b32 d, a, b, c, table;` and `lop3.or.b32 d|p, a, b, c, table, q;`
    fn lop3(&mut self, ins: &Instruction) -> Done {
        let Operand::Int(table) = Self::operand(ins, 4)? else { return Err(Refused) };
        let mut regs = [0; 3];
        for (i, reg) in regs.iter_mut().enumerate() {
            *reg = self.src(Self::operand(ins, i + 1)?, Type::B32)?;
        }
        let op = Op::Scalar { op: Scalar::Lop3(*table as u8), widths: 0 };
        let (value, predicate) = match Self::operand(ins, 0)? {
            Operand::Pair(value, predicate) => (value.as_ref(), Some(predicate.as_ref())),
            other => (other, None),
        };
        let Some(predicate) = predicate else {
            let d = self.dst(value, Type::B32)?;
            self.emit(op, d, regs[0], regs[1], regs[2], 0);
            return self.done();
        };
        let q = self.predicate(Self::operand(ins, 5)?)?;
        let temp = self.temp(Type::B32);
        let nonzero = self.temp(Type::Pred);
        self.emit(op, temp, regs[0], regs[1], regs[2], 0);
        self.emit(Op::NonZero32, nonzero, temp, 0, 0, 0);
        let p = self.dst(predicate, Type::Pred)?;
        self.emit(if ins.has("and") { Op::AndP } else { Op::OrP }, p, nonzero, q, 0, 0);
        let d = self.dst(value, Type::B32)?;
        self.emit(Op::Mov32, d, temp, 0, 0, 0);
        self.done()
    }

    fn testp(&mut self, ins: &Instruction) -> Done {
        let tests = [
            ("finite", Testp::Finite),
            ("infinite", Testp::Infinite),
            ("number", Testp::Number),
            ("notanumber", Testp::NotANumber),
            ("normal", Testp::Normal),
            ("subnormal", Testp::Subnormal),
        ];
        let test = tests.iter().find(|(name, _)| ins.has(name)).ok_or(Refused)?.1;
        let ty = *types(ins).first().ok_or(Refused)?;
        let a = self.src(Self::operand(ins, 1)?, ty)?;
        let temp = self.temp(Type::B32);
        let op = if ty == Type::F64 { Scalar::TestpF64(test) } else { Scalar::TestpF32(test) };
        let widths = u8::from(ty == Type::F64) << 1 | 1 << 4 | 1 << 5;
        self.emit(Op::Scalar { op, widths }, temp, a, 0, 0, 0);
        let d = self.dst(Self::operand(ins, 0)?, Type::Pred)?;
        self.emit(Op::NonZero32, d, temp, 0, 0, 0);
        self.done()
    }

    /// The comparison of `setp` and `set` into a fresh predicate.
    fn compare(&mut self, ins: &Instruction, ty: Type) -> Result<Reg, Refused> {
        let cmp = ins.qualifiers.iter().find_map(|q| Cmp::named(q)).ok_or(Refused)?;
        // `lo`, `ls`, `hi`, `hs` compare as unsigned whatever the type says.
        let unsigned = ins.qualifiers.iter().any(|q| matches!(q.as_str(), "lo" | "ls" | "hi" | "hs"));
        let kind = match (ty, unsigned) {
            (Type::F32, _) if ins.has("ftz") => CmpType::F32Ftz,
            (Type::F32, _) => CmpType::F32,
            (Type::F64, _) => CmpType::F64,
            (Type::F16, _) => CmpType::F16,
            (Type::Bf16, _) => CmpType::Bf16,
            (Type::S16, false) => CmpType::S16,
            (Type::S32, false) => CmpType::S32,
            (Type::S64, false) => CmpType::S64,
            (Type::U16 | Type::B16 | Type::S16, _) => CmpType::U16,
            (Type::U32 | Type::B32 | Type::S32, _) => CmpType::U32,
            (Type::U64 | Type::B64 | Type::S64, _) => CmpType::U64,
            _ => return Err(Refused),
        };
        let a = self.src(Self::operand(ins, 1)?, ty)?;
        let b = self.src(Self::operand(ins, 2)?, ty)?;
        let combine = ins.operands.len() > 3 || matches!(ins.operands.first(), Some(Operand::Pair(..)));
        let d = if combine || ins.opcode == "set" {
            self.temp(Type::Pred)
        } else {
            self.dst(Self::operand(ins, 0)?, Type::Pred)?
        };
        self.emit(Op::Setp(kind, cmp), d, a, b, 0, 0);
        Ok(d)
    }

    fn setp(&mut self, ins: &Instruction) -> Done {
        let ty = *types(ins).first().ok_or(Refused)?;
        if matches!(ty, Type::F16x2 | Type::Bf16x2) {
            return self.setp_half2(ins, ty);
        }
        let (p, q) = match Self::operand(ins, 0)? {
            Operand::Pair(p, q) => (p.as_ref(), Some(q.as_ref())),
            p => (p, None),
        };
        let holds = self.compare(ins, ty)?;
        if ins.operands.len() <= 3 && q.is_none() {
            return self.done();
        }
        let with = match ins.operands.get(3) {
            Some(operand) => Some(self.predicate(operand)?),
            None => None,
        };
        // The combining predicate may be a destination: keep it.
        let with = match with {
            Some(own) => {
                let temp = self.temp(Type::Pred);
                self.emit(Op::MovP, temp, own, 0, 0, 0);
                Some(temp)
            }
            None => None,
        };
        let (plain, negated) = if ins.has("or") {
            (Op::OrP, Op::OrNotP)
        } else if ins.has("xor") {
            (Op::XorP, Op::XorNotP)
        } else {
            (Op::AndP, Op::AndNotP)
        };
        let with = with.unwrap_or(Self::truth(true));
        let d = self.dst(p, Type::Pred)?;
        self.emit(plain, d, with, holds, 0, 0);
        if let Some(q) = q {
            let d = self.dst(q, Type::Pred)?;
            self.emit(negated, d, with, holds, 0, 0);
        }
        self.done()
    }

    /// `setp.cmp.f16x2 p|q, a, b`: one predicate for each half.
    fn setp_half2(&mut self, ins: &Instruction, ty: Type) -> Done {
        let Operand::Pair(p, q) = Self::operand(ins, 0)? else { return Err(Refused) };
        let half = if ty == Type::F16x2 { Half::F16 } else { Half::Bf16 };
        let cmp = ins.qualifiers.iter().find_map(|q| Cmp::named(q)).ok_or(Refused)?;
        if ins.operands.len() > 3 {
            return Err(Refused);
        }
        let a = self.src(Self::operand(ins, 1)?, Type::B32)?;
        let b = self.src(Self::operand(ins, 2)?, Type::B32)?;
        let both = self.temp(Type::B32);
        let op = Scalar::SetHalf2 { half, cmp, float: false, ftz: ins.has("ftz") };
        self.emit(Op::Scalar { op, widths: 1 << 4 }, both, a, b, 0, 0);
        for (operand, shift) in [(p, 0), (q, 16)] {
            let part = self.temp(Type::B32);
            let cut = Op::Scalar { op: Scalar::Cut { offset: shift, bits: 16 }, widths: 1 << 4 | 1 << 5 };
            self.emit(cut, part, both, 0, 0, 0);
            let d = self.dst(operand, Type::Pred)?;
            self.emit(Op::NonZero32, d, part, 0, 0, 0);
        }
        self.done()
    }

    /// `set.cmp[.bool].dtype.stype d, a, b[, c]`: all ones or 1.0.
    fn set(&mut self, ins: &Instruction) -> Done {
        let [to, from] = types(ins)[..] else { return Err(Refused) };
        if matches!(from, Type::F16x2 | Type::Bf16x2) {
            let half = if from == Type::F16x2 { Half::F16 } else { Half::Bf16 };
            let cmp = ins.qualifiers.iter().find_map(|q| Cmp::named(q)).ok_or(Refused)?;
            let float = matches!(to, Type::F16x2 | Type::Bf16x2);
            let op = Scalar::SetHalf2 { half, cmp, float, ftz: ins.has("ftz") };
            return self.scalar(ins, op, Type::B32, &[Type::B32; 2]);
        }
        let mut holds = self.compare(ins, from)?;
        if let Some(operand) = ins.operands.get(3) {
            let with = self.predicate(operand)?;
            let temp = self.temp(Type::Pred);
            let op = if ins.has("or") {
                Op::OrP
            } else if ins.has("xor") {
                Op::XorP
            } else {
                Op::AndP
            };
            self.emit(op, temp, with, holds, 0, 0);
            holds = temp;
        }
        let ones = match to {
            Type::F32 => u64::from(1f32.to_bits()),
            Type::F16 => 0x3c00,
            Type::Bf16 => 0x3f80,
            Type::U16 | Type::S16 => 0xffff,
            _ => u64::from(u32::MAX),
        };
        let (one, zero) = (self.constant(ones, Class::W32), self.constant(0, Class::W32));
        let d = self.dst(Self::operand(ins, 0)?, to)?;
        self.emit(Op::Sel32, d, one, zero, holds, 0);
        self.done()
    }

    /// `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`: the carry is a predicate of the function's own.
    fn carry(&mut self, ins: &Instruction) -> Done {
        let ty = *types(ins).first().ok_or(Refused)?;
        let int = int_of(ty).ok_or(Refused)?;
        let wide = ty.bytes() == 8;
        let carry = match self.cc {
            Some(carry) => carry,
            None => {
                let fresh = self.scopes.fresh(Type::Pred);
                self.cc = Some(fresh);
                fresh
            }
        };
        let carry_in = ins.opcode.ends_with('c');
        let carry_out = ins.has("cc");
        let subtract = ins.opcode.starts_with("sub");
        let (a, b) = if ins.opcode.starts_with("mad") {
            let a = self.src(Self::operand(ins, 1)?, ty)?;
            let b = self.src(Self::operand(ins, 2)?, ty)?;
            let c = self.src(Self::operand(ins, 3)?, ty)?;
            let product = self.temp(ty);
            let op = if ins.has("hi") { Scalar::MulHi(int) } else { Scalar::MulLo(int) };
            let widths = if wide { 0b0111 } else { 0 } | 1 << 4;
            self.emit(Op::Scalar { op, widths }, product, a, b, 0, 0);
            (product, c)
        } else {
            (self.src(Self::operand(ins, 1)?, ty)?, self.src(Self::operand(ins, 2)?, ty)?)
        };
        let c = if carry_in { self.read(carry) } else { 0 };
        let out = if carry_out { self.write(carry) } else { 0 };
        let d = self.dst(Self::operand(ins, 0)?, ty)?;
        self.emit(Op::Carry { wide, subtract, carry_in, carry_out }, d, a, b, c, i64::from(out));
        self.done()
    }

    fn video(&mut self, ins: &Instruction) -> Done {
        let name = ins.opcode.as_str();
        let (base, lanes) = match name.chars().last() {
            Some('4') => (&name[..name.len() - 1], 4),
            Some('2') => (&name[..name.len() - 1], 2),
            _ => return Err(Refused),
        };
        let op = match base {
            "vadd" => VideoOp::Add,
            "vsub" => VideoOp::Sub,
            "vavrg" => VideoOp::AvRg,
            "vabsdiff" => VideoOp::AbsDiff,
            "vmin" => VideoOp::Min,
            "vmax" => VideoOp::Max,
            _ => return Err(Refused),
        };
        let [d, a, b] = types(ins)[..] else { return Err(Refused) };
        // Selectors and masks on the operands (`.b3210`, `.h10`) are not executed.
        let selectors = ins.operands.iter().any(|o| match o {
            Operand::Name { name, .. } => self.scopes.find(name).is_none(),
            _ => false,
        });
        if selectors {
            return Err(Refused);
        }
        let video = Video {
            op,
            lanes,
            signed_d: d == Type::S32,
            signed_a: a == Type::S32,
            signed_b: b == Type::S32,
            saturate: ins.has("sat"),
            accumulate: ins.has("add"),
        };
        self.scalar(ins, Scalar::Video(video), Type::B32, &[Type::B32; 3])
    }

    /// `add.u16x2` and its like.
    pub(super) fn pair16(&mut self, ins: &Instruction) -> Done {
        let op = match ins.opcode.as_str() {
            "add" => Pair16::Add,
            "min" => Pair16::Min,
            "max" => Pair16::Max,
            _ => return Err(Refused),
        };
        if ins.has("relu") {
            return Err(Refused);
        }
        self.scalar(ins, Scalar::Pair16 { op, signed: ins.has("s16x2") }, Type::B32, &[Type::B32; 2])
    }
}
