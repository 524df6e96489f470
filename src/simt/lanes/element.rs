//! One element between memory and registers.

use crate::simt::code::{Access, Element, Reg};
use crate::simt::warp::Warp;

/// The register's bits of a loaded element.
#[inline(always)]
pub(in crate::simt) fn register_bits(element: Element, bytes: &[u8]) -> u64 {
    let mut raw = [0u8; 8];
    let n = bytes.len().min(8);
    raw[..n].copy_from_slice(&bytes[..n]);
    let raw = u64::from_le_bytes(raw);
    match element {
        Element::S8(bits) => ((raw as i8) as i64 as u64) & (u64::MAX >> (64 - u32::from(bits))),
        Element::S16(bits) => ((raw as i16) as i64 as u64) & (u64::MAX >> (64 - u32::from(bits))),
        Element::S32Wide => (raw as i32) as i64 as u64,
        _ => raw,
    }
}

/// Gives a lane's loaded element to its register.
#[inline(always)]
pub(in crate::simt) fn load_element(
    warp: &mut Warp,
    access: &Access,
    index: usize,
    lane: usize,
    bytes: &[u8],
) {
    let reg = access.registers[index];
    if access.element == Element::B128 {
        let row = (warp.at.frame.rows64 + reg) as usize;
        warp.rows64[row][lane] = register_bits(Element::U64, &bytes[..8]);
        warp.rows64[row + 1][lane] = register_bits(Element::U64, &bytes[8..]);
        return;
    }
    let bits = register_bits(access.element, bytes);
    if access.wide {
        warp.rows64[(warp.at.frame.rows64 + reg) as usize][lane] = bits;
    } else {
        warp.rows32[(warp.at.frame.rows32 + reg) as usize][lane] = bits as u32;
    }
}

/// A lane's element to store, in the low bytes.
#[inline(always)]
pub(in crate::simt) fn store_element(
    warp: &Warp,
    image: &crate::simt::program::Image,
    wide: bool,
    reg: Reg,
    lane: usize,
    b128: bool,
) -> u128 {
    use crate::simt::warp::{row32, row64};
    if b128 {
        let low = row64(warp, &image.doubles, reg)[lane];
        let high = row64(warp, &image.doubles, reg + 1)[lane];
        return u128::from(low) | u128::from(high) << 64;
    }
    if wide {
        u128::from(row64(warp, &image.doubles, reg)[lane])
    } else {
        u128::from(row32(warp, &image.words, reg)[lane])
    }
}
