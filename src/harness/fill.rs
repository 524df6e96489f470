//! What buffers hold before a launch (contract rules 10 and 12).

use crate::exercise::{ElementType, Fill};

/// Bit patterns that no right answer has: a NaN with a payload of its own, and a repeated odd byte.
const POISON_F32: u32 = 0x7fd5_d5d5;
const POISON_F64: u64 = 0x7ffd_5d5d_5d5d_5d5d;
const POISON_BYTE: u8 = 0xd5;

/// The bytes of `len` elements of `ty`. `seed` is the instance's; `name` keeps two random buffers apart.
pub fn filled(fill: &Fill, ty: ElementType, len: usize, seed: u64, name: &str) -> Vec<u8> {
    match *fill {
        Fill::Zero => vec![0; len * ty.bytes() as usize],
        Fill::Ones => numbers(ty, len, |_| 1),
        Fill::Iota => numbers(ty, len, |i| i),
        Fill::Poison => poison(ty, len),
        Fill::Random { below } => {
            let below = u64::from(below.max(2));
            let key = name.bytes().fold(seed, |key, byte| mix(key ^ u64::from(byte)));
            let mut bytes = numbers(ty, len, |i| mix(key.wrapping_add(i)) % below);
            if len > 1 {
                // Never all alike: the first two elements differ by construction.
                let first = mix(key) % below;
                let size = ty.bytes() as usize;
                bytes[size..2 * size].copy_from_slice(&numbers(ty, 1, |_| (first + 1) % below));
            }
            bytes
        }
    }
}

/// Whether an element still holds the poison that it was given before the launch.
pub fn is_poison(bytes: &[u8], ty: ElementType) -> bool {
    bytes == poison(ty, 1)
}

fn poison(ty: ElementType, len: usize) -> Vec<u8> {
    match ty {
        ElementType::F32 => POISON_F32.to_le_bytes().repeat(len),
        ElementType::F64 => POISON_F64.to_le_bytes().repeat(len),
        _ => vec![POISON_BYTE; len * ty.bytes() as usize],
    }
}

fn numbers(ty: ElementType, len: usize, number: impl Fn(u64) -> u64) -> Vec<u8> {
    let range = 0..len as u64;
    match ty {
        ElementType::I32 | ElementType::U32 => range.flat_map(|i| (number(i) as u32).to_le_bytes()).collect(),
        ElementType::I64 | ElementType::U64 => range.flat_map(|i| number(i).to_le_bytes()).collect(),
        ElementType::F32 => range.flat_map(|i| (number(i) as f32).to_le_bytes()).collect(),
        ElementType::F64 => range.flat_map(|i| (number(i) as f64).to_le_bytes()).collect(),
    }
}

/// A seed that nobody can guess, from the system's randomness.
pub fn secret_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// SplitMix64's finaliser (Steele, Lea, Flood 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Value;

    #[test]
    fn fills_by_type() {
        assert_eq!(filled(&Fill::Iota, ElementType::U32, 2, 0, "a"), [0, 0, 0, 0, 1, 0, 0, 0]);
        let ones = filled(&Fill::Ones, ElementType::F32, 3, 0, "a");
        assert_eq!(Value::read(&ones, ElementType::F32, 2), Some(Value::F32(1.0)));
        assert!(is_poison(&filled(&Fill::Poison, ElementType::F64, 1, 0, "a"), ElementType::F64));
    }

    #[test]
    fn random_data_depends_on_seed_and_name_and_stays_below() {
        let fill = Fill::Random { below: 3 };
        let of = |seed, name| filled(&fill, ElementType::U32, 1000, seed, name);
        assert_eq!(of(7, "in"), of(7, "in"));
        assert_ne!(of(7, "in"), of(8, "in"));
        assert_ne!(of(7, "in"), of(7, "out"));
        let data = of(7, "in");
        let values: Vec<u32> = data.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
        assert!(values.iter().all(|&v| v < 3));
        assert_ne!(values[0], values[1]);
    }

    #[test]
    fn secret_seeds_differ() {
        assert_ne!(secret_seed(), secret_seed());
    }
}
