//! Operands to register numbers, constants and addresses.

use super::body::{Body, Done, Refused};
use super::scope::{Class, Named, Register};
use crate::ptx::{AddressBase, Operand, Type};
use crate::simt::code::{CONST, MemSpace, NO_REG, Op, Reg, Special};
use crate::simt::scalar::Half;

/// An address as the fast loop wants it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address {
    pub base: Reg,
    /// The base register is a 32-bit row.
    pub narrow: bool,
    pub offset: i64,
    /// The space, where the name decides it (`.param` may be a kernel's parameter or a frame).
    pub space: MemSpace,
}

impl Body<'_> {
    /// A value of type `ty` to read.
    pub fn src(&mut self, operand: &Operand, ty: Type) -> Result<Reg, Refused> {
        if ty == Type::Pred {
            return self.predicate(operand);
        }
        let class = Register::class_of(ty);
        match operand {
            Operand::Name { name, offset } => {
                if let Some(Named::Register(register)) = self.scopes.find(name) {
                    return self.read_as(register, class);
                }
                self.symbol(name, *offset, class)
            }
            Operand::Int(value) => Ok(self.constant(int_bits(*value, ty), class)),
            Operand::F32(bits) => {
                let bits = if ty == Type::F64 {
                    f64::from(f32::from_bits(*bits)).to_bits()
                } else {
                    u64::from(*bits)
                };
                Ok(self.constant(bits, class))
            }
            Operand::F64(bits) => {
                let value = f64::from_bits(*bits);
                let bits = match ty {
                    Type::F32 => u64::from((value as f32).to_bits()),
                    Type::F16 => u64::from(Half::F16.encode(value, Default::default())),
                    Type::Bf16 => u64::from(Half::Bf16.encode(value, Default::default())),
                    _ => *bits,
                };
                Ok(self.constant(bits, class))
            }
            _ => Err(Refused),
        }
    }

    fn read_as(&mut self, register: Register, class: Class) -> Result<Reg, Refused> {
        let own = self.read(register);
        match (register.class, class) {
            (a, b) if a == b => Ok(own),
            (Class::W64, Class::W32) => {
                let temp = self.temp(Type::B32);
                self.emit(Op::Truncate32, temp, own, 0, 0, 0);
                Ok(temp)
            }
            (Class::W32, Class::W64) => {
                let temp = self.temp(Type::B64);
                self.emit(Op::ZeroExtend64, temp, own, 0, 0, 0);
                Ok(temp)
            }
            _ => Err(Refused),
        }
    }

    /// A register of class W32 or W64 without a class check, with its register (for `cvt`, `ld`, `st`).
    pub fn register(&self, operand: &Operand) -> Option<Register> {
        match operand {
            Operand::Name { name, .. } => match self.scopes.find(name) {
                Some(Named::Register(register)) => Some(register),
                _ => None,
            },
            _ => None,
        }
    }

    /// A predicate to read; `!p` becomes a fresh one.
    pub fn predicate(&mut self, operand: &Operand) -> Result<Reg, Refused> {
        match operand {
            Operand::Not(name) => {
                let own = self.predicate(&Operand::Name { name: name.clone(), offset: 0 })?;
                let temp = self.temp(Type::Pred);
                self.emit(Op::NotP, temp, own, 0, 0, 0);
                Ok(temp)
            }
            Operand::Int(value) => Ok(CONST | u32::from(*value != 0)),
            _ => match self.register(operand) {
                Some(register) if register.class == Class::Pred => Ok(self.read(register)),
                _ => Err(Refused),
            },
        }
    }

    /// A predicate and whether it is negated, without spending an instruction on the negation.
    pub fn signed_predicate(&mut self, operand: &Operand) -> Result<(Reg, bool), Refused> {
        match operand {
            Operand::Not(name) => {
                let own = self.predicate(&Operand::Name { name: name.clone(), offset: 0 })?;
                Ok((own, true))
            }
            other => Ok((self.predicate(other)?, false)),
        }
    }

    /// A destination of type `ty`; `_` is a register nobody reads.
    pub fn dst(&mut self, operand: &Operand, ty: Type) -> Result<Reg, Refused> {
        if matches!(operand, Operand::Sink) {
            return Ok(self.temp(ty));
        }
        let register = self.register(operand).ok_or(Refused)?;
        if register.class != Register::class_of(ty) {
            return Err(Refused);
        }
        Ok(self.write(register))
    }

    /// A special register, variable or function as a value.
    fn symbol(&mut self, name: &str, offset: i64, class: Class) -> Result<Reg, Refused> {
        if let Some(special) = special(name) {
            return Ok(self.special(special, class, 0));
        }
        // `warpSize`: a constant that PTX leaves to the device (PTX 4.5.1).
        if name == "WARP_SZ" {
            return Ok(self.constant(crate::simt::event::WARP as u64, class));
        }
        match self.scopes.find(name) {
            Some(Named::Frame { offset: at, .. }) => {
                let wide = class == Class::W64;
                let temp = self.temp(if wide { Type::B64 } else { Type::B32 });
                self.emit(Op::Frame { wide, generic: false }, temp, 0, 0, 0, i64::from(at) + offset);
                Ok(temp)
            }
            Some(Named::Param { offset: at } | Named::Shared { offset: at }) => {
                Ok(self.constant((i64::from(at) + offset) as u64, class))
            }
            Some(_) => Err(Refused),
            None => self.module_symbol(name, offset, class),
        }
    }

    fn module_symbol(&mut self, name: &str, offset: i64, class: Class) -> Result<Reg, Refused> {
        if let Some(&at) = self.symbols.shared.get(name) {
            self.uses_common_shared = true;
            return Ok(self.constant((i64::from(at) + offset) as u64, class));
        }
        if self.symbols.dynamic_shared.contains_key(name) {
            return Ok(self.special(Special::DynamicShared, class, offset));
        }
        if let Some(&variable) = self.symbols.variables.get(name) {
            if class != Class::W64 {
                return Err(Refused);
            }
            return Ok(self.tables.pool.address(variable, offset));
        }
        if let Some(&function) = self.symbols.functions.get(name) {
            self.callees.push(function);
            return Ok(self.constant(crate::simt::space::function_address(function), class));
        }
        Err(Refused)
    }

    fn special(&mut self, special: Special, class: Class, offset: i64) -> Reg {
        let wide = class == Class::W64;
        let temp = self.temp(if wide { Type::B64 } else { Type::B32 });
        let op = if wide { Op::Special64(special) } else { Op::Special32(special) };
        self.emit(op, temp, 0, 0, 0, offset);
        temp
    }

    pub fn constant(&mut self, bits: u64, class: Class) -> Reg {
        match class {
            Class::Pred => CONST | u32::from(bits != 0),
            Class::W32 => self.tables.pool.word(bits as u32),
            Class::W64 | Class::W128 => self.tables.pool.double(bits),
        }
    }

    /// An address operand; `space` is what the instruction says.
    pub fn address(&mut self, operand: &Operand, space: MemSpace) -> Result<Address, Refused> {
        let (base, offset) = match operand {
            Operand::Address { base: AddressBase::Absolute, offset } => {
                return Ok(Address { base: NO_REG, narrow: false, offset: *offset, space });
            }
            Operand::Address { base: AddressBase::Name(name), offset } => (name, *offset),
            // `ld.param.b32 %r, retval0;` and the like.
            Operand::Name { name, offset } => (name, *offset),
            _ => return Err(Refused),
        };
        let frame_space = if space == MemSpace::Param && !self.kernel { MemSpace::Local } else { space };
        match self.scopes.find(base) {
            Some(Named::Register(register)) => {
                let narrow = register.class == Class::W32;
                Ok(Address { base: self.read(register), narrow, offset, space: frame_space })
            }
            Some(Named::Frame { offset: at, .. }) => {
                let temp = self.temp(Type::B64);
                let generic = space == MemSpace::Generic;
                self.emit(Op::Frame { wide: true, generic }, temp, 0, 0, 0, i64::from(at));
                let space = if generic { space } else { MemSpace::Local };
                Ok(Address { base: temp, narrow: false, offset, space })
            }
            Some(Named::Param { offset: at }) => {
                Ok(Address { base: NO_REG, narrow: false, offset: i64::from(at) + offset, space })
            }
            Some(Named::Shared { offset: at }) => Ok(self.shared_address(i64::from(at) + offset, space)),
            Some(_) => Err(Refused),
            None => {
                if let Some(&at) = self.symbols.shared.get(base.as_str()) {
                    self.uses_common_shared = true;
                    return Ok(self.shared_address(i64::from(at) + offset, space));
                }
                let base = self.module_symbol(base, 0, Class::W64)?;
                Ok(Address { base, narrow: false, offset, space })
            }
        }
    }

    fn shared_address(&self, offset: i64, space: MemSpace) -> Address {
        let window = if space == MemSpace::Generic { crate::simt::space::SHARED_BASE as i64 } else { 0 };
        Address { base: NO_REG, narrow: false, offset: offset + window, space }
    }

    /// The elements of `{a, b}`, or the operand alone.
    pub fn elements(operand: &Operand) -> &[Operand] {
        match operand {
            Operand::Vector(elements) => elements,
            other => std::slice::from_ref(other),
        }
    }

    /// Operand `index`, or a refusal.
    pub fn operand(ins: &crate::ptx::Instruction, index: usize) -> Result<&Operand, Refused> {
        ins.operands.get(index).ok_or(Refused)
    }

    pub fn done(&self) -> Done {
        Ok(())
    }
}

fn int_bits(value: i128, ty: Type) -> u64 {
    match ty {
        Type::F32 => u64::from((value as f32).to_bits()),
        Type::F64 => (value as f64).to_bits(),
        _ => {
            let bits = ty.bytes() * 8;
            (value as u64) & (u64::MAX >> (64 - bits.min(64)))
        }
    }
}

/// The special register of a name.
fn special(name: &str) -> Option<Special> {
    let name = name.strip_prefix('%')?;
    let axis = |rest: &str| match rest {
        ".x" => Some(0),
        ".y" => Some(1),
        ".z" => Some(2),
        _ => None,
    };
    if let Some(rest) = name.strip_prefix("tid") {
        return axis(rest).map(Special::Tid);
    }
    if let Some(rest) = name.strip_prefix("ntid") {
        return axis(rest).map(Special::Ntid);
    }
    if let Some(rest) = name.strip_prefix("ctaid") {
        return axis(rest).map(Special::Ctaid);
    }
    if let Some(rest) = name.strip_prefix("nctaid") {
        return axis(rest).map(Special::Nctaid);
    }
    // Without clusters, each block is a cluster of one.
    if name.starts_with("cluster_ctaid") || name.starts_with("cluster_ctarank") {
        return Some(Special::Zero);
    }
    if name.starts_with("cluster_nctaid") || name.starts_with("cluster_nctarank") {
        return Some(Special::One);
    }
    if let Some(rest) = name.strip_prefix("clusterid") {
        return axis(rest).map(Special::Ctaid);
    }
    if let Some(rest) = name.strip_prefix("nclusterid") {
        return axis(rest).map(Special::Nctaid);
    }
    match name {
        "envreg1" => return Some(Special::GridWorkspaceHi),
        "envreg2" => return Some(Special::GridWorkspaceLo),
        _ => {}
    }
    if name.starts_with("envreg") || name.starts_with("pm") || name == "is_explicit_cluster" {
        return Some(Special::Zero);
    }
    Some(match name {
        "laneid" => Special::LaneId,
        "warpid" => Special::WarpId,
        "nwarpid" => Special::NWarpId,
        "lanemask_eq" => Special::LaneMaskEq,
        "lanemask_le" => Special::LaneMaskLe,
        "lanemask_lt" => Special::LaneMaskLt,
        "lanemask_ge" => Special::LaneMaskGe,
        "lanemask_gt" => Special::LaneMaskGt,
        "clock" => Special::Clock,
        "clock_hi" => Special::ClockHi,
        "clock64" => Special::Clock64,
        "globaltimer" => Special::GlobalTimer,
        "globaltimer_lo" => Special::GlobalTimerLo,
        "globaltimer_hi" => Special::GlobalTimerHi,
        "smid" => Special::SmId,
        "nsmid" => Special::NSmId,
        "gridid" => Special::GridId,
        "dynamic_smem_size" => Special::DynamicSharedSize,
        "total_smem_size" | "aggr_smem_size" => Special::TotalSharedSize,
        "reserved_smem_offset_begin" | "reserved_smem_offset_end" | "reserved_smem_offset_cap" => {
            Special::Zero
        }
        _ => return None,
    })
}
