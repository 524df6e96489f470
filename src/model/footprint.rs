//! Which words, bytes and lines an access touches, and the shadow that stands for them.

use super::collect::Collector;
use super::record::lanes;
use super::shadow::{LINE, Shadow};
use crate::simt::{Access, GlobalMemory, Shape, Space};

/// The address that a shadow's offset 0 stands for.
pub(super) fn window_base(space: Space, address: u64) -> u64 {
    match space {
        Space::Shared => 0,
        Space::Global => address & !((1 << GlobalMemory::WINDOW) - 1),
    }
}

pub(super) fn shadow<'a>(
    global: &'a mut Vec<Shadow>,
    shared: &'a mut Shadow,
    space: Space,
    base: u64,
) -> &'a mut Shadow {
    match space {
        Space::Shared => shared,
        Space::Global => {
            let index = Collector::allocation(base);
            if index >= global.len() {
                global.resize_with(index + 1, Shadow::default);
            }
            &mut global[index]
        }
    }
}

pub(super) fn old_byte(space: Space, memory: &GlobalMemory, shared: &[u8], address: u64) -> Option<u8> {
    match space {
        Space::Shared => shared.get(address as usize).copied(),
        Space::Global => memory.slice(address, 1).map(|s| s[0]),
    }
}

/// The bytes of its first word that an element covers.
pub(super) fn byte_mask(address: u64, element: u32) -> u8 {
    if element >= 4 { 0b1111 } else { (((1u32 << element) - 1) << (address % 4)) as u8 & 0b1111 }
}

/// The words that an access covers, each with its bytes.
#[inline]
pub(super) fn words(address: u64, bytes: u32, mut f: impl FnMut(u64, u8)) {
    if bytes == 4 && address.is_multiple_of(4) {
        return f(address, 0b1111);
    }
    let end = address + u64::from(bytes);
    let mut word = address & !3;
    while word < end {
        let from = address.max(word) - word;
        let to = end.min(word + 4) - word;
        f(word, (((1u32 << to) - 1) & !((1u32 << from) - 1)) as u8);
        word += 4;
    }
}

/// The line of a lane's access, and the bytes it covers there.
pub(super) fn line_bits(access: &Access, lane: u32) -> (u64, u128) {
    let address = access.addresses[lane as usize];
    let within = (address % LINE) as u32;
    let bytes = access.bytes.min(LINE as u32 - within);
    let bits = if bytes >= 128 { u128::MAX } else { (1 << bytes) - 1 };
    (address, bits << within)
}

/// The lines that lanes cover in shared memory, each with its bytes and the first lane there; a line may come twice.
pub(super) fn by_written_line(access: &Access, mask: u32, mut f: impl FnMut(u64, u128, u32)) {
    if let (Shape::Consecutive { base }, u32::MAX, 4) = (access.shape, mask, access.bytes)
        && base.is_multiple_of(4)
    {
        let position = (base % LINE) as u32;
        f(base / LINE * LINE, u128::MAX << position, 0);
        if position > 0 {
            f((base / LINE + 1) * LINE, u128::MAX >> (LINE as u32 - position), (LINE as u32 - position) / 4);
        }
        return;
    }
    let mask = if access.shape == Shape::Uniform { mask & mask.wrapping_neg() } else { mask };
    let mut open: Option<(u64, u128, u32)> = None;
    for lane in lanes(mask) {
        let (address, bits) = line_bits(access, lane);
        match &mut open {
            Some((line, sum, _)) if *line == address / LINE => *sum |= bits,
            _ => {
                if let Some((line, sum, first)) = open.replace((address / LINE, bits, lane)) {
                    f(line * LINE, sum, first);
                }
            }
        }
    }
    if let Some((line, sum, first)) = open {
        f(line * LINE, sum, first);
    }
}

/// Offset of lane 0's word, when the active lanes' 4-byte words follow each other inside one window.
pub(super) fn consecutive(access: &Access, window: u64) -> Option<u64> {
    let Shape::Consecutive { base } = access.shape else { return None };
    // A guard like `tid >= offset` can put the inactive lane 0 below the window's start.
    let offset = base.checked_sub(window).filter(|o| *o < 1 << (GlobalMemory::WINDOW - 1))?;
    offset.is_multiple_of(4).then_some(offset)
}
