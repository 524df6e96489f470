//! Loads and stores that nobody watches, lane by lane: any space, width and pattern.

use super::element::{load_element, register_bits, store_element};
use crate::simt::code::{Access, Element, Instr, MemSpace, NO_REG};
use crate::simt::env::Env;
use crate::simt::event::WARP;
use crate::simt::faults::bad_access;
use crate::simt::launch::FaultKind;
use crate::simt::memory::GlobalMemory;
use crate::simt::rows::{Row64, lanes, put};
use crate::simt::space::resolve;
use crate::simt::warp::{Warp, row32, row64};

/// A lane that cannot do what it should.
pub(in crate::simt) type LaneFault = Box<(usize, FaultKind)>;

/// Every lane's address.
#[inline(always)]
pub(in crate::simt) fn addresses(env: &Env, warp: &Warp, instr: &Instr, address32: bool, all: &mut Row64) {
    let offset = instr.imm as u64;
    if instr.a == NO_REG {
        *all = [offset; WARP];
    } else if address32 {
        // 32-bit shared addresses wrap at 32 bits.
        let base = row32(warp, &env.image.words, instr.a);
        for (address, base) in all.iter_mut().zip(base) {
            *address = u64::from(base.wrapping_add(offset as u32));
        }
    } else {
        let base = row64(warp, &env.image.doubles, instr.a);
        for (address, base) in all.iter_mut().zip(base) {
            *address = base.wrapping_add(offset);
        }
    }
}

/// The bytes at a lane's address.
pub(in crate::simt) fn read_lane<'a>(
    env: &'a Env,
    warp: &'a Warp,
    shared: &'a [u8],
    memory: &'a GlobalMemory,
    (space, address): (MemSpace, u64),
    lane: usize,
    bytes: u32,
) -> Option<&'a [u8]> {
    match space {
        MemSpace::Shared => {
            let at = usize::try_from(address).ok()?;
            shared.get(at..at.checked_add(bytes as usize)?)
        }
        MemSpace::Local if address.checked_add(u64::from(bytes))? <= u64::from(warp.stack_end) => {
            warp.local.get(lane, address, bytes)
        }
        MemSpace::Local => None,
        MemSpace::Param => {
            let at = usize::try_from(address).ok()?;
            env.params.get(at..at.checked_add(bytes as usize)?)
        }
        _ => memory.slice(address, u64::from(bytes)),
    }
}

/// The bytes at a lane's address, to write.
pub(in crate::simt) fn write_lane<'a>(
    warp: &'a mut Warp,
    shared: &'a mut [u8],
    memory: &'a mut GlobalMemory,
    (space, address): (MemSpace, u64),
    lane: usize,
    bytes: u32,
) -> Option<&'a mut [u8]> {
    match space {
        MemSpace::Shared => {
            let at = usize::try_from(address).ok()?;
            shared.get_mut(at..at.checked_add(bytes as usize)?)
        }
        MemSpace::Local if address.checked_add(u64::from(bytes))? <= u64::from(warp.stack_end) => {
            warp.local.get_mut(lane, address, bytes)
        }
        MemSpace::Local | MemSpace::Param => None,
        _ => memory.device_mut(address, u64::from(bytes)),
    }
}

/// Any load, for the lanes of `mask`.
pub(super) fn load(
    env: &Env,
    warp: &mut Warp,
    shared: &[u8],
    memory: &GlobalMemory,
    instr: &Instr,
    mask: u32,
) -> Result<(), LaneFault> {
    let access: &Access = &env.program.tables.accesses[instr.c as usize];
    let mut all = [0; WARP];
    addresses(env, warp, instr, access.address32, &mut all);
    let (bytes, element) = (access.bytes(), access.element.bytes() as usize);
    // One address for all lanes, and no local memory: one read.
    let first = mask.trailing_zeros() as usize & 31;
    if access.count == 1 && element <= 8 && (instr.a == NO_REG || lanes(mask).all(|l| all[l] == all[first])) {
        let place = resolve(access.space, all[first]);
        if place.0 != MemSpace::Local
            && aligned(access, place.1)
            && let Some(source) = read_lane(env, warp, shared, memory, place, first, bytes)
        {
            let bits = register_bits(access.element, source);
            let reg = access.registers[0];
            if access.wide {
                put(&mut warp.rows64[(warp.at.frame.rows64 + reg) as usize], &[bits; WARP], mask);
            } else {
                put(&mut warp.rows32[(warp.at.frame.rows32 + reg) as usize], &[bits as u32; WARP], mask);
            }
            return Ok(());
        }
    }
    for lane in lanes(mask) {
        let place = resolve(access.space, all[lane]);
        let mut value = [0u8; 32];
        match read_lane(env, warp, shared, memory, place, lane, bytes) {
            Some(source) if aligned(access, place.1) => {
                value[..bytes as usize].copy_from_slice(source);
            }
            _ => {
                return Err(Box::new((
                    lane,
                    bad_access(env, memory, "load", access.space, all[lane], bytes),
                )));
            }
        }
        for index in 0..usize::from(access.count) {
            load_element(warp, access, index, lane, &value[index * element..(index + 1) * element]);
        }
    }
    Ok(())
}

/// Any store, for the lanes of `mask`, in lane order.
pub(super) fn store(
    env: &Env,
    warp: &mut Warp,
    shared: &mut [u8],
    memory: &mut GlobalMemory,
    instr: &Instr,
    mask: u32,
) -> Result<(), LaneFault> {
    let access: &Access = &env.program.tables.accesses[instr.c as usize];
    let mut all = [0; WARP];
    addresses(env, warp, instr, access.address32, &mut all);
    let (bytes, element) = (access.bytes(), access.element.bytes() as usize);
    for lane in lanes(mask) {
        let place = resolve(access.space, all[lane]);
        let mut value = [0u8; 32];
        for index in 0..usize::from(access.count) {
            let reg = access.registers[index];
            let bits =
                store_element(warp, env.image, access.wide, reg, lane, access.element == Element::B128);
            value[index * element..(index + 1) * element].copy_from_slice(&bits.to_le_bytes()[..element]);
        }
        let target = if aligned(access, place.1) {
            write_lane(warp, shared, memory, place, lane, bytes)
        } else {
            None
        };
        match target {
            Some(target) => target.copy_from_slice(&value[..bytes as usize]),
            None => {
                return Err(Box::new((
                    lane,
                    bad_access(env, memory, "store", access.space, all[lane], bytes),
                )));
            }
        }
    }
    Ok(())
}

/// Whether an address is a multiple of the whole access's size, as the hardware demands
/// (a vector of three does not exist).
fn aligned(access: &Access, address: u64) -> bool {
    address.is_multiple_of(u64::from(access.bytes()))
}
