//! Loads and stores outside the fast loop: those that an observer watches, and the strong ones.

use super::device::Device;
use super::place::{Places, shape};
use crate::simt::code::{Access as Decoded, Element, Instr, MemSpace, Op};
use crate::simt::event::{Access, AccessKind, Loaded, Observer, Order, Shape, Space, WARP};
use crate::simt::lanes::{load_element, read_lane, register_bits, store_element, words_of, write_lane};
use crate::simt::launch::Fault;
use crate::simt::rows::{lanes, put};
use crate::simt::warp::{Warp, row32};

impl<O: Observer> Device<'_, O> {
    pub(super) fn load(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
        watched: bool,
    ) -> Result<(), Box<Fault>> {
        let site = self.blocks[place].warps[index].at.pc;
        let instr = self.env.code[site as usize];
        let program = self.env.program;
        let decoded = &program.tables.accesses[instr.c as usize];
        let places = self.places(place, index, mask, "load", &instr, decoded)?;
        let bytes = decoded.bytes();
        if watched && self.load_plainly(place, index, mask, site, decoded, &places) {
            self.spare = Some(places);
            return Ok(());
        }
        let block = &self.blocks[place];
        let warp = &block.warps[index];
        let first = mask.trailing_zeros() as usize & 31;
        match (places.one, places.shape) {
            (Some(space), Shape::Consecutive { .. })
                if matches!(space, MemSpace::Global | MemSpace::Shared) =>
            {
                let last = 31 - mask.leading_zeros() as usize;
                let length = (last - first + 1) as u32 * bytes;
                let at = (space, places.own[first]);
                if let Some(source) =
                    read_lane(&self.env, warp, &block.shared, self.memory, at, first, length)
                {
                    match bytes {
                        4 => gather::<4>(&mut self.scratch, source, first),
                        8 => gather::<8>(&mut self.scratch, source, first),
                        16 => gather::<16>(&mut self.scratch, source, first),
                        _ => {
                            for (lane, value) in source.chunks_exact(bytes as usize).enumerate() {
                                self.scratch.bytes[first + lane][..bytes as usize].copy_from_slice(value);
                            }
                        }
                    }
                }
            }
            (Some(space), Shape::Uniform) if space != MemSpace::Local => {
                let at = (space, places.own[first]);
                if let Some(source) = read_lane(&self.env, warp, &block.shared, self.memory, at, first, bytes)
                {
                    let mut value = [0; 32];
                    value[..bytes as usize].copy_from_slice(source);
                    for lane in lanes(mask) {
                        self.scratch.bytes[lane] = value;
                    }
                }
            }
            _ => {
                for lane in lanes(mask) {
                    let at = (places.space(lane), places.own[lane]);
                    if let Some(source) =
                        read_lane(&self.env, warp, &block.shared, self.memory, at, lane, bytes)
                    {
                        self.scratch.bytes[lane][..bytes as usize].copy_from_slice(source);
                    }
                }
            }
        }
        if watched {
            self.tell(place, index, site, decoded, &places, AccessKind::Load);
        }
        give(&mut self.blocks[place].warps[index], decoded, &self.scratch, mask);
        self.spare = Some(places);
        Ok(())
    }

    /// The commonest watched loads, for an observer that leaves them as they are: lanes' consecutive words, or one element
    /// for all of them. `false`, and nothing done, when it is another.
    fn load_plainly(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
        site: u32,
        decoded: &Decoded,
        places: &Places,
    ) -> bool {
        let Some(space @ (MemSpace::Global | MemSpace::Shared)) = places.one else { return false };
        if decoded.count != 1 || decoded.element == Element::B128 || self.observer.replaces() {
            return false;
        }
        let words = decoded.element == Element::U32 && !decoded.wide;
        let (first, last) = (mask.trailing_zeros() as usize & 31, 31 - mask.leading_zeros() as usize);
        let length = match places.shape {
            Shape::Consecutive { .. } if words => 4 * (last - first + 1) as u32,
            Shape::Uniform => decoded.bytes(),
            _ => return false,
        };
        let block = &self.blocks[place];
        let at = (space, places.own[first]);
        let Some(source) =
            read_lane(&self.env, &block.warps[index], &block.shared, self.memory, at, first, length)
        else {
            return false;
        };
        if places.shape == Shape::Uniform {
            let bits = register_bits(decoded.element, source);
            self.tell(place, index, site, decoded, places, AccessKind::Load);
            let warp = &mut self.blocks[place].warps[index];
            let (frame, register) = (&warp.at.frame, decoded.registers[0]);
            if decoded.wide {
                put(&mut warp.rows64[(frame.rows64 + register) as usize], &[bits; WARP], mask);
            } else {
                put(&mut warp.rows32[(frame.rows32 + register) as usize], &[bits as u32; WARP], mask);
            }
            return true;
        }
        let row = if mask == u32::MAX {
            words_of(source)
        } else {
            let mut row = [0; WARP];
            for (word, source) in row[first..].iter_mut().zip(source.chunks_exact(4)) {
                *word = u32::from_le_bytes([source[0], source[1], source[2], source[3]]);
            }
            row
        };
        self.tell(place, index, site, decoded, places, AccessKind::Load);
        let warp = &mut self.blocks[place].warps[index];
        put(&mut warp.rows32[(warp.at.frame.rows32 + decoded.registers[0]) as usize], &row, mask);
        true
    }

    pub(super) fn store(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
        watched: bool,
    ) -> Result<(), Box<Fault>> {
        let site = self.blocks[place].warps[index].at.pc;
        let instr = self.env.code[site as usize];
        let program = self.env.program;
        let decoded = &program.tables.accesses[instr.c as usize];
        let places = self.places(place, index, mask, "store", &instr, decoded)?;
        let bytes = decoded.bytes();
        self.take(place, index, decoded, mask);
        if watched {
            self.tell(place, index, site, decoded, &places, AccessKind::Store);
        }
        let block = &mut self.blocks[place];
        let warp = &mut block.warps[index];
        // Only what polls can poll for nothing: a weak store counts as a change without a look.
        let mut changed = decoded.order == Order::Weak;
        let first = mask.trailing_zeros() as usize & 31;
        let last = 31 - mask.leading_zeros() as usize;
        let whole = mask >> first == u32::MAX >> (31 - (last - first)) && bytes == 4 && changed;
        if let (true, Some(space), Shape::Consecutive { .. }) = (whole, places.one, places.shape)
            && space != MemSpace::Local
        {
            let length = (last - first + 1) as u32 * bytes;
            let at = (space, places.own[first]);
            if let Some(target) = write_lane(warp, &mut block.shared, self.memory, at, first, length) {
                for (lane, target) in target.chunks_exact_mut(4).enumerate() {
                    target.copy_from_slice(&self.scratch.bytes[(first + lane) & 31][..4]);
                }
            }
        } else {
            for lane in lanes(mask) {
                let at = (places.space(lane), places.own[lane]);
                let value = &self.scratch.bytes[lane][..bytes as usize];
                if let Some(target) = write_lane(warp, &mut block.shared, self.memory, at, lane, bytes) {
                    changed |= target != value;
                    target.copy_from_slice(value);
                }
            }
        }
        self.version += u64::from(changed);
        self.spare = Some(places);
        Ok(())
    }

    /// Reports what becomes of asynchronous copies. The device itself copies at once, which their model allows.
    pub(super) fn asynchronous(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
        watched: bool,
    ) -> Result<(), Box<Fault>> {
        let site = self.blocks[place].warps[index].at.pc;
        let instr = self.env.code[site as usize];
        let (block, warp) = (self.blocks[place].number(), index as u32);
        match instr.op {
            Op::Copying if watched => {
                let decoded = &self.env.program.tables.accesses[instr.c as usize];
                let places = self.places(place, index, mask, "store", &instr, decoded)?;
                self.observer.copying(site, block, warp, mask, &places.own, decoded.bytes());
                self.spare = Some(places);
            }
            Op::CommitCopies => self.observer.copies_committed(block, warp, mask),
            Op::AwaitCopies => self.observer.copies_awaited(block, warp, mask, u32::try_from(instr.imm).ok()),
            _ => {}
        }
        Ok(())
    }

    /// Puts what the lanes store into the scratch bytes.
    fn take(&mut self, place: usize, index: usize, decoded: &Decoded, mask: u32) {
        let warp = &self.blocks[place].warps[index];
        let image = self.env.image;
        if decoded.count == 1 && decoded.element == Element::U32 && !decoded.wide {
            let row = row32(warp, &image.words, decoded.registers[0]);
            for (target, value) in self.scratch.bytes.iter_mut().zip(row) {
                target[..4].copy_from_slice(&value.to_le_bytes());
            }
            return;
        }
        let element = decoded.element.bytes() as usize;
        let b128 = decoded.element == Element::B128;
        for lane in lanes(mask) {
            for number in 0..usize::from(decoded.count) {
                let bits = store_element(warp, image, decoded.wide, decoded.registers[number], lane, b128);
                self.scratch.bytes[lane][number * element..(number + 1) * element]
                    .copy_from_slice(&bits.to_le_bytes()[..element]);
            }
        }
    }

    /// Reports an access whose values are in the scratch bytes, one event for each memory.
    fn tell(
        &mut self,
        place: usize,
        index: usize,
        site: u32,
        decoded: &Decoded,
        places: &Places,
        kind: AccessKind,
    ) {
        let block = &self.blocks[place];
        for (space, mask) in [(Space::Global, places.global), (Space::Shared, places.shared)] {
            if mask == 0 {
                continue;
            }
            let bytes = decoded.bytes();
            let access = Access {
                site,
                block: block.number(),
                warp: index as u32,
                mask,
                space,
                kind,
                order: decoded.order,
                scope: decoded.scope,
                bytes,
                element: decoded.element.bytes(),
                addresses: &places.own,
                shape: if places.one.is_some() { places.shape } else { shape(&places.own, mask, bytes) },
            };
            if kind == AccessKind::Load {
                self.observer.load(&access, self.memory, &block.shared, &mut self.scratch);
            } else {
                self.observer.store(&access, self.memory, &block.shared, &self.scratch);
            }
        }
    }

    /// Resolves the lanes' addresses, or says which lane cannot do the access.
    fn places(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
        what: &'static str,
        instr: &Instr,
        decoded: &Decoded,
    ) -> Result<Box<Places>, Box<Fault>> {
        let mut places = self.spare.take().unwrap_or_else(Places::empty);
        let block = &self.blocks[place];
        let warp = &block.warps[index];
        match places.fill(&self.env, warp, &block.shared, self.memory, (instr, decoded), mask, what) {
            Ok(()) => Ok(places),
            Err(fault) => {
                let (lane, kind) = *fault;
                Err(self.fault(place, index, lane, kind))
            }
        }
    }
}

/// Spreads consecutive elements over the lanes from `first` on.
fn gather<const BYTES: usize>(scratch: &mut Loaded, source: &[u8], first: usize) {
    for (target, value) in scratch.bytes[first..].iter_mut().zip(source.chunks_exact(BYTES)) {
        target[..BYTES].copy_from_slice(value);
    }
}

/// Gives the lanes' loaded bytes to their registers.
fn give(warp: &mut Warp, decoded: &Decoded, scratch: &Loaded, mask: u32) {
    if decoded.count == 1 && decoded.element == Element::U32 && !decoded.wide {
        let mut row = [0u32; WARP];
        for (value, bytes) in row.iter_mut().zip(&scratch.bytes) {
            *value = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        put(&mut warp.rows32[(warp.at.frame.rows32 + decoded.registers[0]) as usize], &row, mask);
        return;
    }
    let element = decoded.element.bytes() as usize;
    for lane in lanes(mask) {
        let value = &scratch.bytes[lane];
        for number in 0..usize::from(decoded.count) {
            load_element(warp, decoded, number, lane, &value[number * element..(number + 1) * element]);
        }
    }
}
