//! `atom` and `red`, in either qualifier order.

use super::body::{Body, Done, Refused};
use super::qualifiers::{order, scope, space, types};
use super::scope::{Class, Register};
use crate::ptx::{Instruction, Operand, Type};
use crate::simt::code::{Atomic, AtomicOp, MemSpace, Op};
use crate::simt::event::{AtomicForm, Order, Scope};

impl Body<'_> {
    pub(super) fn atomic(&mut self, ins: &Instruction) -> Done {
        if ins.has("async") || ins.has("bulk") {
            return Err(Refused);
        }
        let ty = *types(ins).last().ok_or(Refused)?;
        let op = operation(ins, ty)?;
        let reduction = ins.opcode == "red";
        let first = if reduction { 0 } else { 1 };
        let address = self.address(Self::operand(ins, first)?, space(ins).ok_or(Refused)?)?;
        if !matches!(address.space, MemSpace::Generic | MemSpace::Global | MemSpace::Shared) {
            return Err(Refused);
        }
        let values = Self::elements(Self::operand(ins, first + 1)?);
        let count = values.len();
        if count > 8 || count == 0 {
            return Err(Refused);
        }
        let mut atomic = Atomic {
            op,
            space: address.space,
            address32: address.narrow,
            bytes: ty.bytes() as u8,
            count: count as u8,
            reduction,
            form: if op == AtomicOp::Cas { AtomicForm::Compare } else { AtomicForm::Update },
            order: order(ins, Order::Relaxed),
            scope: scope(ins).unwrap_or(Scope::Gpu),
            d: [0; 8],
            b: [0; 8],
            c: 0,
        };
        for (i, value) in values.iter().enumerate() {
            atomic.b[i] = self.value(value, ty)?;
        }
        if op == AtomicOp::Cas {
            atomic.c = self.value(Self::operand(ins, first + 2)?, ty)?;
        }
        if !reduction {
            let destination = Self::operand(ins, 0)?;
            let destinations = Self::elements(destination);
            if matches!(destination, Operand::Sink) {
                for d in atomic.d.iter_mut().take(count) {
                    *d = self.temp(ty);
                }
            } else if destinations.len() != count {
                return Err(Refused);
            } else {
                for (i, destination) in destinations.iter().enumerate() {
                    atomic.d[i] = self.dst(destination, ty)?;
                }
            }
            if op == AtomicOp::Exch && destinations.iter().all(|d| self.is_unread(d)) {
                atomic.form = AtomicForm::Replace;
            }
        }
        let number = self.tables.atomics.len() as u32;
        self.tables.atomics.push(atomic);
        self.emit(Op::Atomic, 0, address.base, 0, number, address.offset);
        self.done()
    }

    /// Whether no instruction of the function reads this register.
    fn is_unread(&self, destination: &Operand) -> bool {
        let register = self.register(destination);
        register.is_none_or(|own| self.mapping.is_some_and(|mapping| !mapping.is_read(own)))
    }

    fn value(&mut self, operand: &Operand, ty: Type) -> Result<u32, Refused> {
        if ty == Type::B128 {
            let own = self.register(operand).filter(|r| r.class == Class::W128).ok_or(Refused)?;
            return Ok(self.read(own));
        }
        debug_assert!(Register::class_of(ty) != Class::Pred);
        self.src(operand, ty)
    }
}

fn operation(ins: &Instruction, ty: Type) -> Result<AtomicOp, Refused> {
    let name = ins
        .qualifiers
        .iter()
        .find(|q| {
            matches!(
                q.as_str(),
                "add" | "min" | "max" | "inc" | "dec" | "and" | "or" | "xor" | "exch" | "cas"
            )
        })
        .ok_or(Refused)?;
    let signed = matches!(ty, Type::S32 | Type::S64);
    Ok(match (name.as_str(), ty) {
        ("add", Type::F32) => AtomicOp::AddF32,
        ("add", Type::F64) => AtomicOp::AddF64,
        ("add", Type::F16) => AtomicOp::AddF16,
        ("add", Type::Bf16) => AtomicOp::AddBf16,
        ("add", Type::F16x2) => AtomicOp::AddF16x2,
        ("add", Type::Bf16x2) => AtomicOp::AddBf16x2,
        ("min", Type::F16) => AtomicOp::MinF16,
        ("max", Type::F16) => AtomicOp::MaxF16,
        ("min", Type::Bf16) => AtomicOp::MinBf16,
        ("max", Type::Bf16) => AtomicOp::MaxBf16,
        ("min", Type::F16x2) => AtomicOp::MinF16x2,
        ("max", Type::F16x2) => AtomicOp::MaxF16x2,
        ("min", Type::Bf16x2) => AtomicOp::MinBf16x2,
        ("max", Type::Bf16x2) => AtomicOp::MaxBf16x2,
        ("min" | "max", Type::F32 | Type::F64) => return Err(Refused),
        ("add", _) => AtomicOp::Add,
        ("min", _) if signed => AtomicOp::MinS,
        ("min", _) => AtomicOp::MinU,
        ("max", _) if signed => AtomicOp::MaxS,
        ("max", _) => AtomicOp::MaxU,
        ("inc", _) => AtomicOp::Inc,
        ("dec", _) => AtomicOp::Dec,
        ("and", _) => AtomicOp::And,
        ("or", _) => AtomicOp::Or,
        ("xor", _) => AtomicOp::Xor,
        ("exch", _) => AtomicOp::Exch,
        _ => AtomicOp::Cas,
    })
}

/// The widest scope that a qualifier set names; exported for fences.
pub(super) fn fence_scope(ins: &Instruction) -> Scope {
    scope(ins).unwrap_or(Scope::Gpu)
}
