//! The schedule's own generator: small, fast, the same everywhere (wyrand, by Wang Yi).

/// A stream of numbers from a seed.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed ^ 0x9e37_79b9_7f4a_7c15);
        random.next();
        random
    }

    #[inline(always)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// Below `n`, which is not zero.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next() as u32) * u64::from(n)) >> 32) as u32
    }

    /// One time in `n`.
    #[inline(always)]
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// One of a mask's set bits; the mask is not zero.
    #[inline(always)]
    pub fn bit(&mut self, mask: u32) -> u32 {
        let rotate = self.next() as u32 & 31;
        (mask.rotate_right(rotate).trailing_zeros() + rotate) & 31
    }
}
