//! One access as the shadow memory remembers it, in 24 bytes.
//!
//! Follows PTX "Memory Consistency Model": strength (8.4), scope (8.5), morally strong operations (8.7).
//! Departs: a cluster counts as one block, which is right as long as no launch has clusters (sm_75 has none).
//! Overlap is decided from size and byte mask, which is exact because the device refuses misaligned accesses.

use super::options::VolatileRule;
use crate::simt::{Access, AccessKind, Order, Scope, Site};

/// Who accessed a word, when in their own time, and how. A `mask` of several lanes stands for one warp
/// instruction in which all of them touched this word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Rec {
    pub block: u32,
    pub mask: u32,
    /// Full block barriers that the block had passed.
    pub phase: u32,
    /// The warp's own time: fences, atomics and other ordering events so far.
    pub tick: u32,
    pub site: Site,
    pub warp: u16,
    flags: u16,
}

const BYTES: u16 = 0b1111;
const SIZE_SHIFT: u16 = 4;
const STRONG: u16 = 1 << 7;
const SCOPE_SHIFT: u16 = 8;
const ATOMIC: u16 = 1 << 10;
const VOLATILE: u16 = 1 << 11;
const PRESENT: u16 = 1 << 12;
const WRITE: u16 = 1 << 13;
const SYNCS: u16 = 1 << 15;

impl Rec {
    /// The record of an access, still without lanes and bytes.
    pub fn of(access: &Access, phase: u32, tick: u32, volatile: VolatileRule) -> Rec {
        let mut flags = PRESENT | (log2(access.element) << SIZE_SHIFT);
        match access.kind {
            AccessKind::Load => {}
            AccessKind::Store => flags |= WRITE,
            AccessKind::Atomic { .. } => flags |= WRITE | ATOMIC | STRONG | SYNCS,
        }
        match access.order {
            Order::Weak => {}
            Order::Volatile => {
                flags |= VOLATILE | SYNCS;
                if volatile == VolatileRule::Ptx {
                    flags |= STRONG;
                }
            }
            Order::Mmio | Order::Relaxed | Order::Acquire | Order::Release | Order::AcqRel => {
                flags |= STRONG | SYNCS;
            }
        }
        flags |= scope_bits(access.scope) << SCOPE_SHIFT;
        Rec { block: access.block, mask: 0, phase, tick, site: access.site, warp: access.warp as u16, flags }
    }

    /// The same access by these lanes on these bytes of the word.
    pub fn at(self, mask: u32, bytes: u8) -> Rec {
        Rec { mask, flags: (self.flags & !BYTES) | u16::from(bytes), ..self }
    }

    /// The same instruction where it only read: a compare-and-swap that failed.
    pub fn read_only(self) -> Rec {
        Rec { flags: self.flags & !WRITE, ..self }
    }

    pub fn present(&self) -> bool {
        self.flags & PRESENT != 0
    }

    /// Bytes of the 4-byte word, one bit each.
    pub fn bytes(&self) -> u8 {
        (self.flags & BYTES) as u8
    }

    /// Takes bytes away that a later write has replaced.
    pub fn forget_bytes(&mut self, bytes: u8) {
        self.flags &= !u16::from(bytes);
    }

    pub fn is_write(&self) -> bool {
        self.flags & WRITE != 0
    }

    pub fn is_atomic(&self) -> bool {
        self.flags & ATOMIC != 0
    }

    pub fn is_volatile(&self) -> bool {
        self.flags & VOLATILE != 0
    }

    /// Strong for the race test; volatile is so by PTX's rule only.
    pub fn is_strong(&self) -> bool {
        self.flags & STRONG != 0
    }

    /// Whether release and acquire patterns can be built on it. Volatile can under either rule: CUDA's rule
    /// already makes the volatile pair a race, and one finding is enough.
    pub fn syncs(&self) -> bool {
        self.flags & SYNCS != 0
    }

    /// Whether the scope reaches beyond the block.
    pub fn is_wide(&self) -> bool {
        (self.flags >> SCOPE_SHIFT) & 3 >= 2
    }

    pub fn scope(&self) -> Scope {
        match (self.flags >> SCOPE_SHIFT) & 3 {
            0 => Scope::Cta,
            1 => Scope::Cluster,
            2 => Scope::Gpu,
            _ => Scope::Sys,
        }
    }

    /// Bytes of the memory operation that this is part of.
    pub fn size(&self) -> u32 {
        1 << ((self.flags >> SIZE_SHIFT) & 7)
    }

    /// Each one's scope includes the other's thread (8.7, condition 2).
    pub fn scopes_meet(&self, other: &Rec) -> bool {
        self.block == other.block || (self.is_wide() && other.is_wide())
    }

    /// They cover the same bytes (8.7, condition 3), given that they overlap.
    pub fn same_bytes(&self, other: &Rec) -> bool {
        const MASK: u16 = BYTES | (7 << SIZE_SHIFT);
        self.flags & MASK == other.flags & MASK
    }

    /// Morally strong, for two overlapping accesses of different threads.
    pub fn morally_strong(&self, other: &Rec) -> bool {
        self.is_strong() && other.is_strong() && self.scopes_meet(other) && self.same_bytes(other)
    }

    /// Whether a release pattern that ends in `self` can be observed by `other`.
    pub fn can_synchronize(&self, other: &Rec) -> bool {
        self.syncs() && other.syncs() && self.scopes_meet(other) && self.same_bytes(other)
    }

    /// Any access that races with (or is ordered after) `earlier` does so with `self`: `self` can stand for both,
    /// as far as strength and bytes go.
    pub fn subsumes(&self, earlier: &Rec) -> bool {
        let stronger = self.is_strong() && (!earlier.is_strong() || (self.is_wide() && !earlier.is_wide()));
        !stronger && earlier.bytes() & !self.bytes() == 0
    }

    /// All lanes of `other` are lanes of `self`, in the same warp.
    pub fn same_threads(&self, other: &Rec) -> bool {
        self.block == other.block && self.warp == other.warp && other.mask & !self.mask == 0
    }

    /// Linear index in the block of the lowest lane in `lanes`.
    pub fn thread(&self, lanes: u32) -> u32 {
        u32::from(self.warp) * 32 + lanes.trailing_zeros().min(31)
    }
}

fn log2(bytes: u32) -> u16 {
    bytes.max(1).trailing_zeros().min(7) as u16
}

fn scope_bits(scope: Scope) -> u16 {
    match scope {
        Scope::Cta => 0,
        Scope::Cluster => 1,
        Scope::Gpu => 2,
        Scope::Sys => 3,
    }
}

/// The lanes of a mask, lowest first.
pub(super) fn lanes(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros();
        mask &= mask - 1;
        Some(lane)
    })
}
