//! Naming what went wrong with an access.

use super::code::MemSpace;
use super::env::Env;
use super::launch::FaultKind;
use super::memory::GlobalMemory;
use super::space::resolve;

/// Why an access of `bytes` bytes at `address` of `space` cannot be carried out.
pub(super) fn bad_access(
    env: &Env,
    memory: &GlobalMemory,
    what: &'static str,
    space: MemSpace,
    address: u64,
    bytes: u32,
) -> FaultKind {
    let constant = space == MemSpace::Const;
    let (own, at) = resolve(space, address);
    let misaligned = !at.is_multiple_of(u64::from(bytes));
    match own {
        MemSpace::Shared => {
            let (variable, start, size, element) = shared_variable(env, at);
            if misaligned
                && at.checked_add(u64::from(bytes)).is_some_and(|end| end <= u64::from(env.shared_bytes))
            {
                return FaultKind::Misaligned { address: at, bytes, variable, space: "shared" };
            }
            let offset = (at as i64).wrapping_sub(start as i64);
            FaultKind::OutOfBounds { what, variable, offset, size, element, bytes, space: "shared" }
        }
        MemSpace::Local => {
            if misaligned && at < u64::from(env.stack_bytes) {
                return FaultKind::Misaligned { address: at, bytes, variable: None, space: "local" };
            }
            FaultKind::OutOfBounds {
                what,
                variable: None,
                offset: at as i64,
                size: u64::from(env.stack_bytes),
                element: 1,
                bytes,
                space: "local",
            }
        }
        MemSpace::Param => {
            if what != "load" {
                return FaultKind::ReadOnly { space: "parameter" };
            }
            FaultKind::OutOfBounds {
                what,
                variable: None,
                offset: at as i64,
                size: env.params.len() as u64,
                element: 1,
                bytes,
                space: "parameter",
            }
        }
        _ => {
            let space = if constant || memory.is_read_only(at) { "constant" } else { "global" };
            let inside = memory.slice(at, u64::from(bytes)).is_some();
            // A pointer that runs a little below its buffer lies in the window before; look half a window ahead.
            let half = 1u64 << (GlobalMemory::WINDOW - 1);
            let near = memory.allocation_near(at).filter(|a| at - a.base < half);
            let near = near.or_else(|| {
                memory.allocation_near(at.wrapping_add(half)).filter(|a| a.base > at && a.base - at <= half)
            });
            let variable = near.map(|a| a.name.clone());
            if inside && misaligned {
                return FaultKind::Misaligned { address: at, bytes, variable, space };
            }
            if inside && memory.is_read_only(at) && what != "load" {
                return FaultKind::ReadOnly { space: "constant" };
            }
            let (offset, size, element) = match near {
                Some(a) => (at.wrapping_sub(a.base) as i64, a.bytes, a.element),
                None => (at as i64, 0, 1),
            };
            FaultKind::OutOfBounds { what, variable, offset, size, element, bytes, space }
        }
    }
}

/// The shared variable that an address is in or just past: name, start, size, element.
fn shared_variable(env: &Env, at: u64) -> (Option<String>, u64, u64, u32) {
    let kernel = env.kernel;
    if env.dynamic_shared > 0 && at >= u64::from(kernel.dynamic_start) && at < 1 << 33 {
        return (
            Some("dynamic shared memory".to_owned()),
            u64::from(kernel.dynamic_start),
            u64::from(env.dynamic_shared),
            1,
        );
    }
    let before = kernel.shared.iter().rev().find(|v| u64::from(v.offset) <= at && at < 1 << 33);
    match before.or(kernel.shared.first()) {
        Some(v) => (Some(v.name.clone()), u64::from(v.offset), u64::from(v.bytes), v.element),
        None => (None, 0, u64::from(env.shared_bytes), 1),
    }
}
