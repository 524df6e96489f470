//! The address space: generic addresses tell by their window which memory they mean.
//!
//! Global memory uses windows of 2^40 bytes from 2^40 on ([`super::GlobalMemory`]); what is not global lies above.
//! An address in shared space itself is the byte offset in the block's shared memory, one in local space the
//! byte offset in the thread's stack, one in parameter space the offset in the parameters.

use super::code::MemSpace;

/// Generic address of a block's first shared byte.
pub(super) const SHARED_BASE: u64 = 1 << 62;
/// Generic address of a thread's first stack byte.
pub(super) const LOCAL_BASE: u64 = (1 << 62) + (1 << 61);
/// Generic address of the kernel's first parameter byte.
pub(super) const PARAM_BASE: u64 = 1 << 63;
/// Functions' addresses: no data lies there.
const FUNCTION_BASE: u64 = (1 << 63) + (1 << 62);
/// Bytes of a window.
const WINDOW: u64 = 1 << 33;

/// A function's address; pointers to functions are values like any other.
pub(super) fn function_address(function: u32) -> u64 {
    FUNCTION_BASE + (u64::from(function) + 1) * 16
}

/// The function at an address.
pub(super) fn function_at(address: u64) -> Option<u32> {
    let offset = address.checked_sub(FUNCTION_BASE)?;
    if offset == 0 || offset % 16 != 0 {
        return None;
    }
    u32::try_from(offset / 16 - 1).ok()
}

/// Which memory an address of a space means, and the address in that memory's own terms.
/// Addresses just below a window count as in it, so that an index of -1 is named rightly.
#[inline(always)]
pub(super) fn resolve(space: MemSpace, address: u64) -> (MemSpace, u64) {
    match space {
        MemSpace::Generic => {
            for (base, own) in [
                (SHARED_BASE, MemSpace::Shared),
                (LOCAL_BASE, MemSpace::Local),
                (PARAM_BASE, MemSpace::Param),
            ] {
                if address.wrapping_sub(base).wrapping_add(WINDOW) < 2 * WINDOW {
                    return (own, address.wrapping_sub(base));
                }
            }
            (MemSpace::Global, address)
        }
        MemSpace::Const => (MemSpace::Global, address),
        own => (own, address),
    }
}

/// The generic address of a space's own address.
pub(super) fn to_generic(space: MemSpace, address: u64) -> u64 {
    match space {
        MemSpace::Shared => address.wrapping_add(SHARED_BASE),
        MemSpace::Local => address.wrapping_add(LOCAL_BASE),
        MemSpace::Param => address.wrapping_add(PARAM_BASE),
        _ => address,
    }
}

/// A space's own address of a generic one.
pub(super) fn from_generic(space: MemSpace, address: u64) -> u64 {
    match space {
        MemSpace::Shared => address.wrapping_sub(SHARED_BASE),
        MemSpace::Local => address.wrapping_sub(LOCAL_BASE),
        MemSpace::Param => address.wrapping_sub(PARAM_BASE),
        _ => address,
    }
}
