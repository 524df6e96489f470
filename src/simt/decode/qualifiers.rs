//! Reading an instruction's qualifiers as a set, in whatever order NVRTC wrote them.

use crate::ptx::{Instruction, Type};
use crate::simt::code::MemSpace;
use crate::simt::event::{Order, Scope};
use crate::simt::scalar::{Int, Mode, Number, Round};

/// A type qualifier.
pub(super) fn type_named(name: &str) -> Option<Type> {
    Some(match name {
        "s8" => Type::S8,
        "s16" => Type::S16,
        "s32" => Type::S32,
        "s64" => Type::S64,
        "u8" => Type::U8,
        "u16" => Type::U16,
        "u32" => Type::U32,
        "u64" => Type::U64,
        "f16" => Type::F16,
        "f16x2" => Type::F16x2,
        "bf16" => Type::Bf16,
        "bf16x2" => Type::Bf16x2,
        "f32" => Type::F32,
        "f64" => Type::F64,
        "b8" => Type::B8,
        "b16" => Type::B16,
        "b32" => Type::B32,
        "b64" => Type::B64,
        "b128" => Type::B128,
        "pred" => Type::Pred,
        _ => return None,
    })
}

/// The type qualifiers, in order.
pub(super) fn types(ins: &Instruction) -> Vec<Type> {
    ins.qualifiers.iter().filter_map(|q| type_named(q)).collect()
}

pub(super) fn int_of(ty: Type) -> Option<Int> {
    Some(match ty {
        Type::U8 | Type::B8 => Int::U8,
        Type::S8 => Int::S8,
        Type::U16 | Type::B16 => Int::U16,
        Type::S16 => Int::S16,
        Type::U32 | Type::B32 => Int::U32,
        Type::S32 => Int::S32,
        Type::U64 | Type::B64 => Int::U64,
        Type::S64 => Int::S64,
        _ => return None,
    })
}

pub(super) fn number_of(ty: Type) -> Option<Number> {
    Some(match ty {
        Type::F16 => Number::F16,
        Type::Bf16 => Number::Bf16,
        Type::F32 => Number::F32,
        Type::F64 => Number::F64,
        other => Number::Int(int_of(other)?),
    })
}

/// Rounding and modifiers.
pub(super) fn mode(ins: &Instruction) -> Mode {
    let round = ins.qualifiers.iter().find_map(|q| {
        Some(match q.as_str() {
            "rn" => Round::Nearest,
            "rna" => Round::NearestAway,
            "rz" => Round::Zero,
            "rm" => Round::Down,
            "rp" => Round::Up,
            "rni" => Round::NearestInt,
            "rzi" => Round::ZeroInt,
            "rmi" => Round::DownInt,
            "rpi" => Round::UpInt,
            _ => return None,
        })
    });
    Mode {
        round: round.unwrap_or_default(),
        ftz: ins.has("ftz"),
        sat: ins.has("sat"),
        nan: ins.has("NaN"),
        relu: ins.has("relu"),
        abs: ins.has("abs"),
        xorsign: ins.has("xorsign"),
    }
}

/// The state space of a memory instruction.
pub(super) fn space(ins: &Instruction) -> Option<MemSpace> {
    for qualifier in &ins.qualifiers {
        let base = qualifier.split("::").next().unwrap_or(qualifier);
        match (base, qualifier.as_str()) {
            ("shared", "shared::cluster") => return None,
            ("shared", _) => return Some(MemSpace::Shared),
            ("global", _) => return Some(MemSpace::Global),
            ("local", _) => return Some(MemSpace::Local),
            ("const", _) => return Some(MemSpace::Const),
            ("param", _) => return Some(MemSpace::Param),
            _ => {}
        }
    }
    Some(MemSpace::Generic)
}

pub(super) fn scope(ins: &Instruction) -> Option<Scope> {
    ins.qualifiers.iter().find_map(|q| {
        Some(match q.as_str() {
            "cta" => Scope::Cta,
            "cluster" => Scope::Cluster,
            "gpu" | "gl" => Scope::Gpu,
            "sys" => Scope::Sys,
            _ => return None,
        })
    })
}

/// The `.sem` of a load, store or atomic, with what is meant where none is written.
pub(super) fn order(ins: &Instruction, default: Order) -> Order {
    ins.qualifiers
        .iter()
        .find_map(|q| {
            Some(match q.as_str() {
                "weak" => Order::Weak,
                "volatile" => Order::Volatile,
                "mmio" => Order::Mmio,
                "relaxed" => Order::Relaxed,
                "acquire" => Order::Acquire,
                "release" => Order::Release,
                "acq_rel" => Order::AcqRel,
                _ => return None,
            })
        })
        .unwrap_or(default)
}
