//! A warp's access to consecutive elements: one check and one copy instead of 32.
#![expect(clippy::needless_range_loop, reason = "index loops over lanes are what vectorises")]

use crate::simt::code::{CONST, NO_REG};
use crate::simt::event::WARP;
use crate::simt::rows::{Row32, Row64};

/// An address row, or zeros where there is no base register.
#[inline(always)]
pub(super) fn r64_or_zero<'a>(reg: u32, doubles: &'a [Row64], rows: &'a [Row64], base: usize) -> &'a Row64 {
    const ZERO: &Row64 = &[0; WARP];
    if reg == NO_REG {
        ZERO
    } else if reg & CONST != 0 {
        &doubles[(reg & !CONST) as usize]
    } else {
        &rows[base + reg as usize]
    }
}

/// If active lane `i` has address `base + i * step`: the base (that lane 0 has or would have).
#[inline(always)]
pub(super) fn base64_of(addresses: &Row64, mask: u32, step: u64) -> Option<u64> {
    if mask == u32::MAX {
        let base = addresses[0];
        let mut wrong = 0;
        for lane in 0..WARP {
            wrong |= addresses[lane] ^ base.wrapping_add(lane as u64 * step);
        }
        return (wrong == 0).then_some(base);
    }
    let first = mask.trailing_zeros() as usize & 31;
    let base = addresses[first].wrapping_sub(first as u64 * step);
    let mut wrong = 0;
    for lane in 0..WARP {
        let active = 0u64.wrapping_sub(u64::from(mask >> lane & 1));
        wrong |= (addresses[lane] ^ base.wrapping_add(lane as u64 * step)) & active;
    }
    (wrong == 0).then_some(base)
}

/// The same for 32-bit address registers.
#[inline(always)]
pub(super) fn base32_of(addresses: &Row32, mask: u32, step: u32) -> Option<u64> {
    let first = mask.trailing_zeros() as usize & 31;
    let base = addresses[first].wrapping_sub(first as u32 * step);
    let mut wrong = 0;
    for lane in 0..WARP {
        let active = 0u32.wrapping_sub(mask >> lane & 1);
        wrong |= (addresses[lane] ^ base.wrapping_add(lane as u32 * step)) & active;
    }
    (wrong == 0).then_some(u64::from(base))
}

/// The range from the first active lane's element to the last's: address, bytes, first lane.
#[inline(always)]
pub(super) fn window(mask: u32, base: u64, step: u64) -> Option<(u64, u64, usize)> {
    if mask == u32::MAX {
        return Some((base, step * WARP as u64, 0));
    }
    let first = mask.trailing_zeros();
    let last = 31u32.checked_sub(mask.leading_zeros())?;
    Some((base.wrapping_add(u64::from(first) * step), u64::from(last - first + 1) * step, first as usize))
}

/// A row of 32 words in memory.
#[inline(always)]
pub(in crate::simt) fn words_of(source: &[u8]) -> Row32 {
    let mut row = [0; WARP];
    if let Ok(source) = <&[u8; 4 * WARP]>::try_from(source) {
        for lane in 0..WARP {
            let at = 4 * lane;
            row[lane] = u32::from_le_bytes([source[at], source[at + 1], source[at + 2], source[at + 3]]);
        }
    }
    row
}

/// A row of 32 double words in memory.
#[inline(always)]
pub(super) fn doubles_of(source: &[u8]) -> Row64 {
    let mut row = [0; WARP];
    if let Ok(source) = <&[u8; 8 * WARP]>::try_from(source) {
        for (lane, value) in row.iter_mut().enumerate() {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&source[8 * lane..8 * lane + 8]);
            *value = u64::from_le_bytes(bytes);
        }
    }
    row
}

/// Writes a whole row.
#[inline(always)]
pub(super) fn store_words(target: &mut [u8], row: &Row32) {
    if let Ok(target) = <&mut [u8; 4 * WARP]>::try_from(target) {
        let mut bytes = [0; 4 * WARP];
        for lane in 0..WARP {
            bytes[4 * lane..4 * lane + 4].copy_from_slice(&row[lane].to_le_bytes());
        }
        *target = bytes;
    }
}

/// Writes a whole row.
#[inline(always)]
pub(super) fn store_doubles(target: &mut [u8], row: &Row64) {
    if let Ok(target) = <&mut [u8; 8 * WARP]>::try_from(target) {
        let mut bytes = [0; 8 * WARP];
        for lane in 0..WARP {
            bytes[8 * lane..8 * lane + 8].copy_from_slice(&row[lane].to_le_bytes());
        }
        *target = bytes;
    }
}

/// Stores the active lanes from `first` on.
#[inline(always)]
pub(super) fn partial_store(target: &mut [u8], row: &Row32, mask: u32, first: usize) {
    let active = mask >> first;
    let end = first + target.len() / 4;
    for (lane, (bytes, value)) in target.chunks_exact_mut(4).zip(&row[first..end]).enumerate() {
        if active >> lane & 1 == 1 {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }
}

/// Loads the active lanes from `first` on.
#[inline(always)]
pub(super) fn partial32(row: &mut Row32, source: &[u8], mask: u32, first: usize) {
    let active = mask >> first;
    let end = first + source.len() / 4;
    for (lane, (value, bytes)) in row[first..end].iter_mut().zip(source.chunks_exact(4)).enumerate() {
        if active >> lane & 1 == 1 {
            *value = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
    }
}
