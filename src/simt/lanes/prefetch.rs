//! Asks the processor for what a loop will load next.
//!
//! A grid-stride loop reads 128 bytes of its input, then 128 bytes a megabyte further on: too far for the processor's own
//! prefetcher. The distance between a warp's last two loads at one instruction is a good guess for the next one.

use crate::simt::memory::GlobalMemory;

/// A warp's latest load of consecutive words: instruction and address.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::simt) struct LastLoad {
    pc: u32,
    address: u64,
}

/// Notes a load of a whole warp's words, and prefetches where the next one is likely to go.
#[inline(always)]
pub(super) fn follow(last: &mut LastLoad, pc: u32, address: u64, memory: &mut GlobalMemory) {
    if last.pc == pc {
        memory.stride = address.wrapping_sub(last.address);
    }
    *last = LastLoad { pc, address };
    if let Some(next) = memory.slice(address.wrapping_add(memory.stride), 128) {
        prefetch(next);
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
