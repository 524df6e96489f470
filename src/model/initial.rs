//! Which global bytes have never been written.
//!
//! Only allocations of which the embedder says so are tracked; others count as filled by the host. Shared memory is
//! tracked in its shadow lines, because it begins empty with every block.
//! May miss: reads of bytes that another allocation's owner wrote out of bounds (those stop the launch anyway).

use rustc_hash::FxHashMap;

use super::collect::Collector;
use crate::simt::GlobalMemory;

/// Bitmaps of unwritten bytes, by allocation.
#[derive(Debug, Default)]
pub(super) struct Uninitialised {
    unwritten: FxHashMap<usize, Vec<u64>>,
}

impl Uninitialised {
    pub fn clear(&mut self) {
        self.unwritten.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.unwritten.is_empty()
    }

    /// Whether anything of this address's allocation is tracked.
    pub fn tracks(&self, base: u64) -> bool {
        self.unwritten.contains_key(&Collector::allocation(base))
    }

    pub fn mark(&mut self, base: u64, bytes: u64) {
        let bits = self.unwritten.entry(Collector::allocation(base)).or_default();
        let start = offset(base);
        let words = (start + bytes).div_ceil(64) as usize;
        if bits.len() < words {
            bits.resize(words, 0);
        }
        each_word(start, bytes, |word, mask| bits[word] |= mask);
    }

    pub fn written(&mut self, base: u64, bytes: u64) {
        if let Some(bits) = self.unwritten.get_mut(&Collector::allocation(base)) {
            each_word(offset(base), bytes, |word, mask| {
                if let Some(bits) = bits.get_mut(word) {
                    *bits &= !mask;
                }
            });
        }
    }

    /// How many of these bytes nobody has written.
    pub fn unwritten(&self, base: u64, bytes: u64) -> u32 {
        let mut count = 0;
        if let Some(bits) = self.unwritten.get(&Collector::allocation(base)) {
            each_word(offset(base), bytes, |word, mask| {
                count += bits.get(word).map_or(0, |b| (b & mask).count_ones());
            });
        }
        count
    }
}

fn offset(address: u64) -> u64 {
    address & ((1 << GlobalMemory::WINDOW) - 1)
}

fn each_word(start: u64, bytes: u64, mut f: impl FnMut(usize, u64)) {
    let (mut at, end) = (start, start + bytes);
    while at < end {
        let bit = at % 64;
        let count = (64 - bit).min(end - at);
        let mask = if count == 64 { u64::MAX } else { ((1 << count) - 1) << bit };
        f((at / 64) as usize, mask);
        at += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_unwritten_until_written() {
        let base = GlobalMemory::FIRST << GlobalMemory::WINDOW;
        let mut bytes = Uninitialised::default();
        bytes.mark(base, 200);
        bytes.written(base + 60, 8);
        assert_eq!(bytes.unwritten(base + 56, 8), 4);
        assert_eq!(bytes.unwritten(base + 60, 8), 0);
        assert_eq!(bytes.unwritten(base + 196, 8), 4, "past the allocation nothing is tracked");
    }
}
