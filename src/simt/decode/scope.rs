//! Names of a function's body: registers, variables, labels, in nested scopes.

use std::collections::HashMap;

use crate::ptx::Type;

/// Which register file a register lives in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Pred,
    W32,
    W64,
    /// Two consecutive 64-bit rows.
    W128,
}

/// A declared register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Register {
    pub class: Class,
    /// Declared width; 8 and 16 bits live zero-extended in a 32-bit row.
    pub bits: u8,
    /// Number within the class's file, before allocation. 128-bit registers are numbered with the 64-bit ones.
    pub number: u32,
}

impl Register {
    pub fn class_of(ty: Type) -> Class {
        match ty {
            Type::Pred => Class::Pred,
            Type::B128 => Class::W128,
            _ if ty.bytes() == 8 => Class::W64,
            _ => Class::W32,
        }
    }
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Register(Register),
    /// A local variable or a call's parameter, by frame offset.
    Frame {
        offset: u32,
        bytes: u32,
    },
    /// A kernel parameter, by offset in the parameter bytes.
    Param {
        offset: u32,
    },
    Shared {
        offset: u32,
    },
    Label(u32),
    /// Index of a branch-target list.
    Targets(u32),
    /// A call prototype or a list of call targets, which the device does not need.
    Ignored,
}

#[derive(Debug, Clone, Copy)]
struct Family {
    first: Register,
    count: u32,
}

/// Scopes, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    stack: Vec<(HashMap<String, Named>, HashMap<String, Family>)>,
    /// Registers handed out so far: predicates, 32-bit, 64-bit rows.
    pub counts: [u32; 3],
    /// 64-bit numbers that belong to 128-bit pairs and must stay together.
    pub pairs: Vec<u32>,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.stack.push(Default::default());
    }

    pub fn leave(&mut self) {
        self.stack.pop();
    }

    pub fn declare(&mut self, name: &str, named: Named) {
        if let Some((names, _)) = self.stack.last_mut() {
            names.insert(name.to_owned(), named);
        }
    }

    /// Numbers a fresh register.
    pub fn fresh(&mut self, ty: Type) -> Register {
        let class = Register::class_of(ty);
        let bits = if ty == Type::Pred { 1 } else { (ty.bytes() * 8) as u8 };
        let (file, rows) = match class {
            Class::Pred => (0, 1),
            Class::W32 => (1, 1),
            Class::W64 => (2, 1),
            Class::W128 => (2, 2),
        };
        let number = self.counts[file];
        self.counts[file] += rows;
        if class == Class::W128 {
            self.pairs.push(number);
        }
        Register { class, bits, number }
    }

    /// Declares `%r<12>` as a family.
    pub fn family(&mut self, prefix: &str, count: u32, ty: Type) {
        if count == 0 {
            return;
        }
        let first = self.fresh(ty);
        for _ in 1..count {
            self.fresh(ty);
        }
        if let Some((_, families)) = self.stack.last_mut() {
            families.insert(prefix.to_owned(), Family { first, count });
        }
    }

    pub fn find(&self, name: &str) -> Option<Named> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, number) = name.split_at(name.len() - digits);
        for (names, families) in self.stack.iter().rev() {
            if let Some(named) = names.get(name) {
                return Some(*named);
            }
            if digits == 0 || (digits > 1 && number.starts_with('0')) {
                continue;
            }
            if let (Some(family), Ok(index)) = (families.get(prefix), number.parse::<u32>())
                && index < family.count
            {
                let rows = if family.first.class == Class::W128 { 2 } else { 1 };
                let number = family.first.number + index * rows;
                return Some(Named::Register(Register { number, ..family.first }));
            }
        }
        None
    }
}
