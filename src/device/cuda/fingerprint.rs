//! Whether a large buffer on the card holds what it should, in eight bytes.
//!
//! The kernel is `fingerprint.cu`. Its PTX is kept beside it, with an old `.version`, so that every driver takes it and
//! no compiler is needed in a worker; a test compiles the source again and compares.

/// The kernel's PTX, with the terminating zero that the driver wants.
pub(super) const PTX: &str = concat!(include_str!("fingerprint.ptx"), "\0");
pub(super) const KERNEL: &str = "fingerprint";
pub(super) const BLOCK: u32 = 256;
pub(super) const GRID: u32 = 512;

/// The same on the host. `bytes` is a whole number of 4-byte words.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0xD6E8_FEB8_6659_FD93;
    let (words, _) = bytes.as_chunks::<4>();
    (1u64..).zip(words).fold(0, |sum, (i, word)| {
        let mut mixed =
            u64::from(u32::from_le_bytes(*word)).wrapping_add(0x9E37_79B9_7F4A_7C15u64.wrapping_mul(i));
        mixed ^= mixed >> 32;
        mixed = mixed.wrapping_mul(ODD);
        mixed ^= mixed >> 32;
        mixed = mixed.wrapping_mul(ODD);
        mixed ^= mixed >> 32;
        sum.wrapping_add(mixed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvrtc::{CompileRequest, Nvrtc};

    #[test]
    fn the_ptx_kept_is_what_the_source_gives() {
        let nvrtc = Nvrtc::find_or_fetch(&mut |_| {}).unwrap();
        if nvrtc.version() != (12, 9) {
            println!("skipped: the PTX kept is NVRTC 12.9's, and this is {:?}", nvrtc.version());
            return;
        }
        let source = include_str!("fingerprint.cu");
        let request = CompileRequest {
            source,
            name: "fingerprint.cu",
            arch: "compute_70",
            ..CompileRequest::default()
        };
        let ptx = nvrtc.compile(&request).unwrap().ptx.replace(".version 8.8", ".version 6.4");
        assert_eq!(ptx, PTX.trim_end_matches('\0'));
    }

    #[test]
    fn a_change_anywhere_and_a_swap_change_it() {
        let bytes: Vec<u8> = (0..4096u32).flat_map(u32::to_le_bytes).collect();
        let whole = fingerprint(&bytes);
        for at in [0, 1, 5000, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 0x40;
            assert_ne!(fingerprint(&changed), whole, "byte {at}");
        }
        let mut swapped = bytes.clone();
        swapped[..8].rotate_left(4);
        assert_ne!(fingerprint(&swapped), whole);
        assert_eq!(fingerprint(&[]), 0);
    }
}
