//! Loops over a row's 32 lanes that the compiler turns into vector code.

use crate::simt::event::WARP;

#[inline(always)]
pub(super) fn map1<A: Copy, R: Copy + Default>(a: &[A; WARP], f: impl Fn(A) -> R) -> [R; WARP] {
    let mut out = [R::default(); WARP];
    for lane in 0..WARP {
        out[lane] = f(a[lane]);
    }
    out
}

#[inline(always)]
pub(super) fn map2<A: Copy, B: Copy, R: Copy + Default>(
    a: &[A; WARP],
    b: &[B; WARP],
    f: impl Fn(A, B) -> R,
) -> [R; WARP] {
    let mut out = [R::default(); WARP];
    for lane in 0..WARP {
        out[lane] = f(a[lane], b[lane]);
    }
    out
}

#[inline(always)]
pub(super) fn map3<A: Copy, B: Copy, C: Copy, R: Copy + Default>(
    a: &[A; WARP],
    b: &[B; WARP],
    c: &[C; WARP],
    f: impl Fn(A, B, C) -> R,
) -> [R; WARP] {
    let mut out = [R::default(); WARP];
    for lane in 0..WARP {
        out[lane] = f(a[lane], b[lane], c[lane]);
    }
    out
}

/// A lane mask of where `f` holds.
#[inline(always)]
pub(super) fn mask2<A: Copy>(a: &[A; WARP], b: &[A; WARP], f: impl Fn(A, A) -> bool) -> u32 {
    let mut mask = 0;
    for lane in 0..WARP {
        mask |= u32::from(f(a[lane], b[lane])) << lane;
    }
    mask
}

/// Chooses by the bits of `mask`.
#[inline(always)]
pub(super) fn select<T: Copy + Default>(a: &[T; WARP], b: &[T; WARP], mask: u32) -> [T; WARP] {
    let mut out = [T::default(); WARP];
    for lane in 0..WARP {
        out[lane] = if mask >> lane & 1 == 1 { a[lane] } else { b[lane] };
    }
    out
}
