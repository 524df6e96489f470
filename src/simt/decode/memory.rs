//! Loads, stores, address conversions, hints.

use super::body::{Body, Done, Refused};
use super::operands::Address;
use super::qualifiers::{order, scope, space, types};
use super::scope::{Class, Register};
use crate::ptx::{Instruction, Operand, Type};
use crate::simt::code::{Access, Element, MemSpace, Op};
use crate::simt::event::{Order, Scope};

impl Body<'_> {
    pub(super) fn memory(&mut self, ins: &Instruction) -> Done {
        match ins.opcode.as_str() {
            "ld" | "ldu" => self.load(ins),
            "st" => self.store(ins),
            "cvta" => self.cvta(ins),
            "isspacep" => self.isspacep(ins),
            // Hints: nothing that a program can see. `discard` makes bytes undefined, so leaving them is right.
            "prefetch" | "prefetchu" | "discard" | "applypriority" if !ins.has("tensormap") => self.done(),
            "createpolicy" => {
                let d = self.dst(Self::operand(ins, 0)?, Type::B64)?;
                let zero = self.constant(0, Class::W64);
                self.emit(Op::Mov64, d, zero, 0, 0, 0);
                self.done()
            }
            "cp" => self.copy_async(ins),
            _ => Err(Refused),
        }
    }

    /// What `ld` and `st` share.
    fn access(&mut self, ins: &Instruction, value: &Operand, address: &Address) -> Result<Access, Refused> {
        if ins.has("unified") {
            return Err(Refused);
        }
        let ty = *types(ins).last().ok_or(Refused)?;
        let default = if ins.has("volatile") { Order::Volatile } else { Order::Weak };
        let order = order(ins, default);
        let scope = match order {
            Order::Volatile | Order::Mmio => Scope::Sys,
            _ => scope(ins).unwrap_or(Scope::Gpu),
        };
        let elements = Self::elements(value);
        if elements.len() > 8 || (elements.len() as u32) * ty.bytes() > 32 {
            return Err(Refused);
        }
        Ok(Access {
            space: address.space,
            element: Element::U8,
            wide: false,
            address32: address.narrow,
            order,
            scope,
            count: elements.len() as u8,
            registers: [0; 8],
        })
    }

    fn load(&mut self, ins: &Instruction) -> Done {
        let ty = *types(ins).last().ok_or(Refused)?;
        let value = Self::operand(ins, 0)?;
        let address = self.address(Self::operand(ins, 1)?, space(ins).ok_or(Refused)?)?;
        let mut access = self.access(ins, value, &address)?;
        let mut register = None;
        for (i, element) in Self::elements(value).iter().enumerate() {
            let own = match element {
                Operand::Sink => self.scopes.fresh(ty),
                other => self.register(other).ok_or(Refused)?,
            };
            if own.class == Class::Pred || u32::from(own.bits) < ty.bytes() * 8 {
                return Err(Refused);
            }
            if register.is_some_and(|r: Register| (r.class, r.bits) != (own.class, own.bits)) {
                return Err(Refused);
            }
            register = Some(own);
            access.registers[i] = self.write(own);
        }
        let register = register.ok_or(Refused)?;
        access.wide = register.class != Class::W32;
        access.element = element(ty, register)?;
        let number = self.tables.accesses.len() as u32;
        self.tables.accesses.push(access);
        let word = access.count == 1 && access.element == Element::U32 && !access.wide;
        let double = access.count == 1 && access.element == Element::U64;
        let op = match access.space {
            _ if access.order != Order::Weak && access.space != MemSpace::Local => Op::StrongLoad,
            MemSpace::Global if word && !access.address32 => Op::LoadGlobal32,
            MemSpace::Global if double && !access.address32 => Op::LoadGlobal64,
            MemSpace::Shared if word => Op::LoadShared32,
            MemSpace::Param if word && address.base == crate::simt::code::NO_REG => Op::LoadParam32,
            MemSpace::Param if double && address.base == crate::simt::code::NO_REG => Op::LoadParam64,
            _ => Op::Load,
        };
        self.emit(op, access.registers[0], address.base, 0, number, address.offset);
        self.done()
    }

    fn store(&mut self, ins: &Instruction) -> Done {
        if ins.has("async") || ins.has("bulk") {
            return Err(Refused);
        }
        let ty = *types(ins).last().ok_or(Refused)?;
        let value = Self::operand(ins, 1)?;
        let address = self.address(Self::operand(ins, 0)?, space(ins).ok_or(Refused)?)?;
        if address.space == MemSpace::Const {
            return Err(Refused);
        }
        let mut access = self.access(ins, value, &address)?;
        let wide = Register::class_of(ty) != Class::W32;
        for (i, element) in Self::elements(value).iter().enumerate() {
            access.registers[i] = if ty == Type::B128 {
                let own = self.register(element).filter(|r| r.class == Class::W128).ok_or(Refused)?;
                self.read(own)
            } else {
                // A wider register's low bits are stored; `src` cuts what crosses a class.
                self.src(element, ty)?
            };
        }
        access.wide = wide;
        access.element = match ty.bytes() {
            1 => Element::U8,
            2 => Element::U16,
            4 => Element::U32,
            8 => Element::U64,
            _ => Element::B128,
        };
        let number = self.tables.accesses.len() as u32;
        self.tables.accesses.push(access);
        let word = access.count == 1 && access.element == Element::U32;
        let op = match access.space {
            _ if access.order != Order::Weak && access.space != MemSpace::Local => Op::StrongStore,
            MemSpace::Global if word && !access.address32 => Op::StoreGlobal32,
            MemSpace::Global if access.count == 1 && wide && ty != Type::B128 && !access.address32 => {
                Op::StoreGlobal64
            }
            MemSpace::Shared if word => Op::StoreShared32,
            _ => Op::Store,
        };
        self.emit(op, access.registers[0], address.base, 0, number, address.offset);
        self.done()
    }

    /// `cvta[.to].space d, a`.
    fn cvta(&mut self, ins: &Instruction) -> Done {
        let space = space(ins).ok_or(Refused)?;
        let ty = *types(ins).last().ok_or(Refused)?;
        let a = self.src(Self::operand(ins, 1)?, ty)?;
        let d = self.dst(Self::operand(ins, 0)?, ty)?;
        if Register::class_of(ty) != Class::W64 {
            return Err(Refused);
        }
        // Parameters of a device function lie in its frame.
        let space = if space == MemSpace::Param && !self.kernel { MemSpace::Local } else { space };
        let op = match space {
            MemSpace::Global | MemSpace::Const => Op::Mov64,
            other if ins.has("to") => Op::FromGeneric(other),
            other => Op::ToGeneric(other),
        };
        self.emit(op, d, a, 0, 0, 0);
        self.done()
    }

    fn isspacep(&mut self, ins: &Instruction) -> Done {
        let space = space(ins).ok_or(Refused)?;
        let a = self.src(Self::operand(ins, 1)?, Type::B64)?;
        let d = self.dst(Self::operand(ins, 0)?, Type::Pred)?;
        self.emit(Op::IsSpace(space), d, a, 0, 0, 0);
        self.done()
    }

    /// `cp.async.{ca,cg}.shared.global [dst], [src], size{, source size};` copies at once, which the model of its
    /// completion allows; an observer is told when the copy is waited for. What is beyond the source size is zero.
    fn copy_async(&mut self, ins: &Instruction) -> Done {
        if !ins.has("async") || ins.has("bulk") || ins.has("mbarrier") || ins.has("reduce") {
            return Err(Refused);
        }
        if ins.has("commit_group") {
            self.emit(Op::CommitCopies, 0, 0, 0, 0, 0);
            return self.done();
        }
        if ins.has("wait_all") {
            self.emit(Op::AwaitCopies, 0, 0, 0, 0, -1);
            return self.done();
        }
        if ins.has("wait_group") {
            let Operand::Int(left) = Self::operand(ins, 0)? else { return Err(Refused) };
            let left = i64::try_from(*left).map_err(|_| Refused)?;
            self.emit(Op::AwaitCopies, 0, 0, 0, 0, left);
            return self.done();
        }
        let to = self.address(Self::operand(ins, 0)?, MemSpace::Shared)?;
        let from = self.address(Self::operand(ins, 1)?, MemSpace::Global)?;
        let Operand::Int(bytes) = Self::operand(ins, 2)? else { return Err(Refused) };
        let bytes = u32::try_from(*bytes).map_err(|_| Refused)?;
        let source = match ins.operands.get(3) {
            None => bytes,
            Some(Operand::Int(source)) => u32::try_from(*source).map_err(|_| Refused)?.min(bytes),
            Some(_) => return Err(Refused),
        };
        if !matches!(bytes, 4 | 8 | 16) || !source.is_multiple_of(4) || ins.operands.len() > 4 {
            return Err(Refused);
        }
        // A load into rows of its own, then a store: the observer sees both as such.
        let count = bytes / 4;
        let mut access = Access {
            space: MemSpace::Global,
            element: Element::U32,
            wide: false,
            address32: from.narrow,
            order: Order::Weak,
            scope: Scope::Gpu,
            count: count as u8,
            registers: [0; 8],
        };
        for i in 0..count as usize {
            access.registers[i] = self.temp(Type::B32);
        }
        let number = self.tables.accesses.len() as u32;
        let read = (source / 4) as u8;
        self.tables.accesses.push(Access { count: read, ..access });
        self.tables.accesses.push(Access { space: MemSpace::Shared, address32: to.narrow, ..access });
        let zero = self.constant(0, Class::W32);
        for i in source / 4..count {
            self.emit(Op::Mov32, access.registers[i as usize], zero, 0, 0, 0);
        }
        if read > 0 {
            self.emit(Op::Load, access.registers[0], from.base, 0, number, from.offset);
        }
        self.emit(Op::Store, access.registers[0], to.base, 0, number + 1, to.offset);
        self.emit(Op::Copying, access.registers[0], to.base, 0, number + 1, to.offset);
        self.done()
    }
}

/// How a loaded element fills its register.
fn element(ty: Type, register: Register) -> Result<Element, Refused> {
    let signed = matches!(ty, Type::S8 | Type::S16 | Type::S32);
    Ok(match (ty.bytes(), signed) {
        (1, false) => Element::U8,
        (1, true) => Element::S8(register.bits),
        (2, true) if register.bits > 16 => Element::S16(register.bits),
        (2, _) => Element::U16,
        (4, true) if register.bits > 32 => Element::S32Wide,
        (4, _) => Element::U32,
        (8, _) => Element::U64,
        (16, _) => Element::B128,
        _ => return Err(Refused),
    })
}
