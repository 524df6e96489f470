//! Loads and stores outside the fast loop: those that an observer watches, and the strong ones.

use super::device::Device;
use crate::simt::code::{Access as Decoded, Element, MemSpace};
use crate::simt::event::{Access, AccessKind, Observer, Shape, Space, WARP};
use crate::simt::faults::bad_access;
use crate::simt::lanes::{addresses, load_element, read_lane, store_element, write_lane};
use crate::simt::launch::Fault;
use crate::simt::rows::{Row64, lanes};
use crate::simt::space::resolve;

/// A warp access with its lanes sorted by memory.
struct Sorted {
    /// Addresses in the memories' own terms.
    own: Row64,
    spaces: [MemSpace; WARP],
    global: u32,
    shared: u32,
}

impl<O: Observer> Device<'_, O> {
    /// Resolves the lanes' addresses, or says which lane cannot do the access.
    fn sort(
        &self,
        place: usize,
        index: usize,
        mask: u32,
        what: &'static str,
        decoded: &Decoded,
    ) -> Result<Sorted, Box<Fault>> {
        let block = &self.blocks[place];
        let warp = &block.warps[index];
        let instr = self.env.code[warp.at.pc as usize];
        let all = addresses(&self.env, warp, &instr, decoded.address32);
        let bytes = decoded.bytes();
        let mut sorted = Sorted { own: all, spaces: [MemSpace::Global; WARP], global: 0, shared: 0 };
        for lane in lanes(mask) {
            let (space, own) = resolve(decoded.space, all[lane]);
            sorted.spaces[lane] = space;
            sorted.own[lane] = own;
            match space {
                MemSpace::Global => sorted.global |= 1 << lane,
                MemSpace::Shared => sorted.shared |= 1 << lane,
                _ => {}
            }
            let there = own.is_multiple_of(u64::from(bytes))
                && read_lane(&self.env, warp, &block.shared, self.memory, (space, own), lane, bytes)
                    .is_some();
            let written = what != "load"
                && (space == MemSpace::Param || (space == MemSpace::Global && self.memory.is_read_only(own)));
            if !there || written {
                let kind = bad_access(&self.env, self.memory, what, decoded.space, all[lane], bytes);
                return Err(self.fault(place, index, lane, kind));
            }
        }
        Ok(sorted)
    }

    pub(super) fn load(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
        watched: bool,
    ) -> Result<(), Box<Fault>> {
        let site = self.blocks[place].warps[index].at.pc;
        let number = self.env.code[site as usize].c;
        let decoded = self.env.program.tables.accesses[number as usize];
        let sorted = self.sort(place, index, mask, "load", &decoded)?;
        let bytes = decoded.bytes();
        let block = &mut self.blocks[place];
        let warp = &mut block.warps[index];
        for lane in lanes(mask) {
            let at = (sorted.spaces[lane], sorted.own[lane]);
            if let Some(source) = read_lane(&self.env, warp, &block.shared, self.memory, at, lane, bytes) {
                self.scratch.bytes[lane][..bytes as usize].copy_from_slice(source);
            }
        }
        if watched {
            for (space, mask) in [(Space::Global, sorted.global), (Space::Shared, sorted.shared)] {
                if mask != 0 {
                    let access = Access {
                        site,
                        block: block.index as u32,
                        warp: index as u32,
                        mask,
                        space,
                        kind: AccessKind::Load,
                        order: decoded.order,
                        scope: decoded.scope,
                        bytes,
                        element: decoded.element.bytes(),
                        addresses: &sorted.own,
                        shape: shape(&sorted.own, mask, bytes),
                    };
                    self.observer.load(&access, self.memory, &block.shared, &mut self.scratch);
                }
            }
        }
        let element = decoded.element.bytes() as usize;
        for lane in lanes(mask) {
            let value = self.scratch.bytes[lane];
            for number in 0..usize::from(decoded.count) {
                let bytes = &value[number * element..(number + 1) * element];
                load_element(warp, &decoded, number, lane, bytes);
            }
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
        watched: bool,
    ) -> Result<(), Box<Fault>> {
        let site = self.blocks[place].warps[index].at.pc;
        let number = self.env.code[site as usize].c;
        let decoded = self.env.program.tables.accesses[number as usize];
        let sorted = self.sort(place, index, mask, "store", &decoded)?;
        let bytes = decoded.bytes();
        let element = decoded.element.bytes() as usize;
        let block = &mut self.blocks[place];
        let warp = &mut block.warps[index];
        let b128 = decoded.element == Element::B128;
        for lane in lanes(mask) {
            for number in 0..usize::from(decoded.count) {
                let reg = decoded.registers[number];
                let bits = store_element(warp, self.env.image, decoded.wide, reg, lane, b128);
                self.scratch.bytes[lane][number * element..(number + 1) * element]
                    .copy_from_slice(&bits.to_le_bytes()[..element]);
            }
        }
        if watched {
            for (space, mask) in [(Space::Global, sorted.global), (Space::Shared, sorted.shared)] {
                if mask != 0 {
                    let access = Access {
                        site,
                        block: block.index as u32,
                        warp: index as u32,
                        mask,
                        space,
                        kind: AccessKind::Store,
                        order: decoded.order,
                        scope: decoded.scope,
                        bytes,
                        element: decoded.element.bytes(),
                        addresses: &sorted.own,
                        shape: shape(&sorted.own, mask, bytes),
                    };
                    self.observer.store(&access, self.memory, &block.shared, &self.scratch);
                }
            }
        }
        let mut changed = false;
        for lane in lanes(mask) {
            let at = (sorted.spaces[lane], sorted.own[lane]);
            let value = &self.scratch.bytes[lane][..bytes as usize];
            if let Some(target) = write_lane(warp, &mut block.shared, self.memory, at, lane, bytes) {
                changed |= target != value;
                target.copy_from_slice(value);
            }
        }
        self.version += u64::from(changed);
        Ok(())
    }
}

/// How the active lanes' addresses lie.
pub(super) fn shape(addresses: &Row64, mask: u32, bytes: u32) -> Shape {
    let first = mask.trailing_zeros() as usize & 31;
    let step = u64::from(bytes);
    let base = addresses[first].wrapping_sub(first as u64 * step);
    let (mut uneven, mut scattered) = (0, 0);
    for lane in 0..WARP {
        let active = 0u64.wrapping_sub(u64::from(mask >> lane & 1));
        uneven |= (addresses[lane] ^ addresses[first]) & active;
        scattered |= (addresses[lane] ^ base.wrapping_add(lane as u64 * step)) & active;
    }
    if uneven == 0 && mask.count_ones() > 1 {
        Shape::Uniform
    } else if scattered == 0 {
        Shape::Consecutive { base }
    } else if uneven == 0 {
        Shape::Uniform
    } else {
        Shape::Scattered
    }
}
