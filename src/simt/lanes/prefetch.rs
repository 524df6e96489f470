//! Asks the processor for what a loop will load next.
//!
//! A grid-stride loop reads 128 bytes of its input, then 128 bytes a megabyte further on: too far for the processor's own
//! prefetcher. The distance between a warp's last two loads at one instruction is a good guess for the next one.

use crate::simt::memory::GlobalMemory;

/// What a warp has loaded of consecutive words: the latest, and its block's first.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::simt) struct LastLoad {
    /// 0: none in this block.
    address: u64,
    /// The block whose first load `first` was.
    block: u64,
    /// 0: none in any block.
    first: u64,
}

/// How far loads are apart, as last seen: a guess, on which no result depends.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::simt) struct Strides {
    /// From a warp's load to its next.
    step: u64,
    /// From a block's first load to that of the next block, by the same warp.
    block: u64,
}

/// Notes a load of a whole warp's words, and prefetches where the next one is likely to go.
#[inline(always)]
pub(super) fn follow(last: &mut LastLoad, block: u64, address: u64, memory: &mut GlobalMemory) {
    if last.address != 0 {
        memory.strides.step = address.wrapping_sub(last.address);
    } else {
        if last.first != 0 && last.block != block {
            let blocks = block.wrapping_sub(last.block) as i64;
            let bytes = address.wrapping_sub(last.first) as i64;
            memory.strides.block = bytes.wrapping_div(blocks) as u64;
        }
        (last.block, last.first) = (block, address);
    }
    last.address = address;
    if let Some(next) = memory.slice(address.wrapping_add(memory.strides.step), 128) {
        prefetch(next);
    }
}

/// A warp begins in another block: prefetches what it is likely to load first.
pub(in crate::simt) fn begin(last: &mut LastLoad, block: u64, memory: &GlobalMemory) {
    last.address = 0;
    if last.first != 0 {
        let further = block.wrapping_sub(last.block).wrapping_mul(memory.strides.block);
        if let Some(next) = memory.slice(last.first.wrapping_add(further), 128) {
            prefetch(next);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch(line: &[u8]) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    for offset in [0, 64] {
        if let Some(byte) = line.get(offset) {
            // SAFETY: a prefetch is a hint; it neither faults nor changes anything, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn prefetch(_line: &[u8]) {}
