//! Where a warp's lanes access memory, checked.

use multiversion::multiversion;

use crate::simt::code::{Access as Decoded, Instr, MemSpace};
use crate::simt::env::Env;
use crate::simt::event::{Shape, WARP};
use crate::simt::faults::bad_access;
use crate::simt::lanes::{LaneFault, addresses, read_lane};
use crate::simt::memory::GlobalMemory;
use crate::simt::rows::{Row64, lanes};
use crate::simt::space::resolve;
use crate::simt::warp::Warp;

/// A warp access, its lanes sorted by memory.
pub(super) struct Places {
    /// Addresses in the memories' own terms.
    pub own: Row64,
    /// The memory, when all lanes are in one.
    pub one: Option<MemSpace>,
    /// How the addresses lie, when all lanes are in one memory.
    pub shape: Shape,
    pub global: u32,
    pub shared: u32,
    spaces: [MemSpace; WARP],
}

impl Places {
    /// The memory of a lane.
    pub fn space(&self, lane: usize) -> MemSpace {
        self.one.unwrap_or(self.spaces[lane])
    }

    /// Nothing yet.
    pub fn empty() -> Box<Places> {
        Box::new(Places {
            own: [0; WARP],
            one: None,
            shape: Shape::Scattered,
            global: 0,
            shared: 0,
            spaces: [MemSpace::Global; WARP],
        })
    }

    /// Resolves and checks the lanes of `mask`; a fault names the first that cannot.
    #[expect(
        clippy::too_many_arguments,
        reason = "an address is a matter of warp, memories and instruction at once"
    )]
    pub fn fill(
        &mut self,
        env: &Env,
        warp: &Warp,
        shared: &[u8],
        memory: &GlobalMemory,
        (instr, decoded): (&Instr, &Decoded),
        mask: u32,
        what: &'static str,
    ) -> Result<(), LaneFault> {
        let bytes = decoded.bytes();
        let lies = locate(env, warp, instr, decoded.address32, mask, bytes, &mut self.own);
        (self.one, self.global, self.shared) = (None, 0, 0);
        if self.together(lies, memory, shared, decoded, mask, what) {
            return Ok(());
        }
        for lane in lanes(mask) {
            let address = self.own[lane];
            let (space, own) = resolve(decoded.space, address);
            self.spaces[lane] = space;
            self.own[lane] = own;
            match space {
                MemSpace::Global => self.global |= 1 << lane,
                MemSpace::Shared => self.shared |= 1 << lane,
                _ => {}
            }
            let there = own.is_multiple_of(u64::from(bytes))
                && read_lane(env, warp, shared, memory, (space, own), lane, bytes).is_some();
            let read_only =
                space == MemSpace::Param || (space == MemSpace::Global && memory.is_read_only(own));
            if !there || (what != "load" && read_only) {
                let kind = bad_access(env, memory, what, decoded.space, address, bytes);
                return Err(Box::new((lane, kind)));
            }
        }
        let first = self.spaces[mask.trailing_zeros() as usize & 31];
        if lanes(mask).all(|lane| self.spaces[lane] == first) {
            self.one = Some(first);
            self.shape = shape(&self.own, mask, bytes);
        }
        Ok(())
    }

    /// The common case: all lanes in one memory at one address or at consecutive ones, all of it there. `false` otherwise.
    fn together(
        &mut self,
        shape: Shape,
        memory: &GlobalMemory,
        shared: &[u8],
        decoded: &Decoded,
        mask: u32,
        what: &str,
    ) -> bool {
        let bytes = decoded.bytes();
        let first = mask.trailing_zeros() as usize & 31;
        let length = match shape {
            Shape::Scattered => return false,
            Shape::Uniform => u64::from(bytes),
            Shape::Consecutive { .. } => {
                u64::from(32 - mask.leading_zeros() - first as u32) * u64::from(bytes)
            }
        };
        let (space, start) = resolve(decoded.space, self.own[first]);
        if !start.is_multiple_of(u64::from(bytes)) {
            return false;
        }
        let there = match space {
            MemSpace::Global => {
                memory.slice(start, length).is_some() && (what == "load" || !memory.is_read_only(start))
            }
            MemSpace::Shared => start.checked_add(length).is_some_and(|end| end <= shared.len() as u64),
            _ => false,
        };
        if !there {
            return false;
        }
        let moved = self.own[first].wrapping_sub(start);
        self.shape = match shape {
            Shape::Consecutive { base } => Shape::Consecutive { base: base.wrapping_sub(moved) },
            other => other,
        };
        if moved != 0 {
            self.own = self.own.map(|address| address.wrapping_sub(moved));
        }
        self.one = Some(space);
        if space == MemSpace::Global {
            self.global = mask;
        } else {
            self.shared = mask;
        }
        true
    }
}

/// Every lane's address, and how the active ones lie.
#[multiversion(targets("x86_64+avx+avx2+fma+bmi1+bmi2+lzcnt+popcnt"))]
fn locate(
    env: &Env,
    warp: &Warp,
    instr: &Instr,
    address32: bool,
    mask: u32,
    bytes: u32,
    all: &mut Row64,
) -> Shape {
    addresses(env, warp, instr, address32, all);
    shape(all, mask, bytes)
}

/// How the active lanes' addresses lie.
#[inline(always)]
pub(super) fn shape(addresses: &Row64, mask: u32, bytes: u32) -> Shape {
    let first = mask.trailing_zeros() as usize & 31;
    let step = u64::from(bytes);
    let base = addresses[first].wrapping_sub(first as u64 * step);
    let active = |lane: usize| 0u64.wrapping_sub(u64::from(mask >> lane & 1));
    let apart = |from: u64, step: u64| {
        addresses.iter().enumerate().fold(0, |apart, (lane, address)| {
            apart | ((address ^ from.wrapping_add(lane as u64 * step)) & active(lane))
        })
    };
    if apart(base, step) == 0 {
        // One lane alone is both; its element is what counts.
        Shape::Consecutive { base }
    } else if apart(addresses[first], 0) == 0 {
        Shape::Uniform
    } else {
        Shape::Scattered
    }
}
