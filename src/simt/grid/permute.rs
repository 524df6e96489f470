//! The order in which blocks start: a permutation of any number of blocks without a table.
//!
//! A Feistel network over the next power of four, walked until it lands inside (Black and Rogaway,
//! "Ciphers with arbitrary finite domains", 2002).

/// A bijection of `0..count`.
#[derive(Debug, Clone)]
pub(super) struct Permutation {
    count: u64,
    half_bits: u32,
    keys: [u64; 4],
}

impl Permutation {
    pub fn new(count: u64, seed: u64) -> Self {
        let bits = 64 - count.saturating_sub(1).leading_zeros();
        let mut random = super::random::Random::new(seed ^ 0x5eed_b10c);
        Permutation { count, half_bits: bits.div_ceil(2).max(1), keys: [(); 4].map(|()| random.next()) }
    }

    /// Where `index` goes.
    pub fn at(&self, index: u64) -> u64 {
        let mut value = index;
        loop {
            value = self.round_trip(value);
            if value < self.count {
                return value;
            }
        }
    }

    fn round_trip(&self, value: u64) -> u64 {
        let mask = (1u64 << self.half_bits) - 1;
        let (mut left, mut right) = (value >> self.half_bits, value & mask);
        for key in self.keys {
            let mixed = (right ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (left, right) = (right, left ^ ((mixed >> 29) & mask));
        }
        left << self.half_bits | right
    }
}

#[cfg(test)]
mod tests {
    use super::Permutation;

    #[test]
    fn every_block_starts_once() {
        for count in [1u64, 2, 3, 5, 64, 1000, 1025] {
            let order = Permutation::new(count, 7);
            let mut seen: Vec<u64> = (0..count).map(|i| order.at(i)).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn seeds_give_different_orders() {
        let order = |seed| (0..100).map(|i| Permutation::new(100, seed).at(i)).collect::<Vec<_>>();
        assert_ne!(order(1), order(2));
        assert_eq!(order(3), order(3));
    }

    #[test]
    fn the_largest_grid_needs_no_memory() {
        let count = ((1u64 << 31) - 1) * 65535 * 65535;
        assert!(Permutation::new(count, 1).at(count - 1) < count);
    }
}
