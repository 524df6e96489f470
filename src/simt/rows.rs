//! A register's row: one value a lane.

use super::event::WARP;

pub(super) type Row32 = [u32; WARP];
pub(super) type Row64 = [u64; WARP];

pub(super) fn splat32(value: u32) -> Row32 {
    [value; WARP]
}

pub(super) fn splat64(value: u64) -> Row64 {
    [value; WARP]
}

/// Lanes of a mask, lowest first.
pub(super) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            lane
        })
    })
}

/// Writes the lanes of `mask`.
#[inline(always)]
pub(super) fn put<T: Copy>(row: &mut [T; WARP], value: &[T; WARP], mask: u32) {
    if mask == u32::MAX {
        *row = *value;
    } else {
        for lane in 0..WARP {
            row[lane] = if mask >> lane & 1 == 1 { value[lane] } else { row[lane] };
        }
    }
}
