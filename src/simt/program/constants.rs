//! Initialisers: read as constants by name, and written out as bytes.

use super::tables::ModuleVariable;
use crate::ptx::{Init, Type};

/// A module variable's initial value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// Any integer, with the variable's width in bytes. NVRTC declares signed ones unsigned too; see [`Constant::as_i128`].
    Int {
        value: i128,
        bytes: u32,
    },
    F32(f32),
    F64(f64),
}

impl Constant {
    /// The integer, if it is one.
    pub fn as_i128(self) -> Option<i128> {
        match self {
            Constant::Int { value, .. } => Some(value),
            _ => None,
        }
    }
}

/// A scalar variable's initial value; zero where none is written.
pub(super) fn constant(variable: &ModuleVariable) -> Option<Constant> {
    if variable.ty.bytes() != variable.bytes {
        return None;
    }
    let init = match &variable.init {
        Some(Init::List(list)) if list.len() == 1 => list.first(),
        other => other.as_ref(),
    };
    Some(match (variable.ty, init) {
        (Type::F32, Some(Init::F32(bits))) => Constant::F32(f32::from_bits(*bits)),
        (Type::F32, Some(Init::F64(bits))) => Constant::F32(f64::from_bits(*bits) as f32),
        (Type::F32, Some(Init::Int(value))) => Constant::F32(*value as f32),
        (Type::F32, None) => Constant::F32(0.0),
        (Type::F64, Some(Init::F64(bits))) => Constant::F64(f64::from_bits(*bits)),
        (Type::F64, Some(Init::F32(bits))) => Constant::F64(f64::from(f32::from_bits(*bits))),
        (Type::F64, Some(Init::Int(value))) => Constant::F64(*value as f64),
        (Type::F64, None) => Constant::F64(0.0),
        (_, Some(Init::Int(value))) => Constant::Int { value: *value, bytes: variable.bytes },
        (_, None) => Constant::Int { value: 0, bytes: variable.bytes },
        _ => return None,
    })
}

/// The initial bytes; `address` resolves a symbol.
pub(super) fn initial_bytes(
    variable: &ModuleVariable,
    address: &mut dyn FnMut(&str) -> Option<u64>,
) -> Vec<u8> {
    let mut bytes = vec![0; variable.bytes as usize];
    if let Some(init) = &variable.init {
        let mut at = 0;
        write(init, variable.ty, &mut bytes, &mut at, address);
    }
    bytes
}

fn write(
    init: &Init,
    ty: Type,
    bytes: &mut [u8],
    at: &mut usize,
    address: &mut dyn FnMut(&str) -> Option<u64>,
) {
    let width = ty.bytes() as usize;
    let mut put = |value: u128| {
        let source = value.to_le_bytes();
        if let Some(target) = bytes.get_mut(*at..*at + width) {
            target.copy_from_slice(&source[..width]);
        }
        *at += width;
    };
    match init {
        Init::Int(value) => match ty {
            Type::F32 => put(u128::from((*value as f32).to_bits())),
            Type::F64 => put(u128::from((*value as f64).to_bits())),
            _ => put(*value as u128),
        },
        Init::F32(bits) if ty == Type::F64 => put(u128::from(f64::from(f32::from_bits(*bits)).to_bits())),
        Init::F32(bits) => put(u128::from(*bits)),
        Init::F64(bits) if ty == Type::F32 => put(u128::from((f64::from_bits(*bits) as f32).to_bits())),
        Init::F64(bits) => put(u128::from(*bits)),
        Init::Symbol { name, offset, mask, .. } => {
            let value = address(name).unwrap_or(0).wrapping_add_signed(*offset);
            // `0xFF00(sym)` takes one byte of the address, shifted down.
            put(u128::from(match mask {
                Some(mask) if *mask != 0 => (value & mask) >> mask.trailing_zeros(),
                _ => value,
            }));
        }
        Init::List(items) => {
            for item in items {
                write(item, ty, bytes, at, address);
            }
        }
    }
}
