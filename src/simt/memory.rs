//! Global memory of the embedded device: named allocations, each in an address window of its own.
//!
//! An allocation's window is far larger than any allocation, so that an address that runs past its
//! buffer lands in no other buffer and is always seen as out of bounds.
//!
//! What an allocation holds can be the host's own copy, shared by many launches, until something writes to it: a large
//! input then exists once, and stays in the processor's cache.

use std::sync::Arc;

use super::lanes::Strides;

/// A named allocation; what messages about its memory call it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// The exercise's or the variable's name: `partials`, `counter`.
    pub name: String,
    /// First byte's device address.
    pub base: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Element size, for messages that speak of `partials[17]`; 1 when unknown.
    pub element: u32,
}

#[derive(Debug, Clone)]
struct Slot {
    allocation: Allocation,
    /// The contents, unless they are shared.
    data: Vec<u8>,
    /// The host's copy, as long as nobody has written here.
    shared: Option<Arc<Vec<u8>>>,
    read_only: bool,
}

impl Slot {
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        match &self.shared {
            None => &self.data,
            Some(shared) => shared,
        }
    }

    #[inline(always)]
    fn bytes_mut(&mut self) -> &mut [u8] {
        if self.shared.is_some() {
            self.unshare();
        }
        &mut self.data
    }

    #[cold]
    fn unshare(&mut self) {
        if let Some(shared) = self.shared.take() {
            self.data.clear();
            self.data.extend_from_slice(&shared);
        }
    }
}

/// All global memory of one device: buffers and `__device__` variables.
#[derive(Debug, Default, Clone)]
pub struct GlobalMemory {
    slots: Vec<Slot>,
    pub(super) strides: Strides,
}

/// A number of allocations, to return to later: see [`GlobalMemory::mark`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(usize);

impl GlobalMemory {
    /// log2 of the window that each allocation gets.
    pub const WINDOW: u32 = 40;
    /// The first window's number; keeps null and small integers outside every window.
    pub const FIRST: u64 = 1;

    pub fn new() -> Self {
        Self::default()
    }

    /// Allocates `bytes` bytes, zeroed; returns the device address (256-byte aligned).
    pub fn allocate(&mut self, name: &str, bytes: u64, element: u32) -> u64 {
        let base = (Self::FIRST + self.slots.len() as u64) << Self::WINDOW;
        let allocation = Allocation { name: name.to_owned(), base, bytes, element: element.max(1) };
        self.slots.push(Slot { allocation, data: vec![0; bytes as usize], shared: None, read_only: false });
        base
    }

    /// Makes `contents` what the allocation at `address` holds, without copying them. `false`, and nothing done, unless
    /// they are exactly as large.
    pub fn share(&mut self, address: u64, contents: &Arc<Vec<u8>>) -> bool {
        match self.index(address).and_then(|i| self.slots.get_mut(i)) {
            Some(slot)
                if slot.allocation.base == address && slot.allocation.bytes == contents.len() as u64 =>
            {
                slot.shared = Some(Arc::clone(contents));
                true
            }
            _ => false,
        }
    }

    /// Whether nobody has written to the allocation at `address` since its contents were shared.
    pub fn is_shared(&self, address: u64) -> bool {
        self.index(address).and_then(|i| self.slots.get(i)).is_some_and(|slot| slot.shared.is_some())
    }

    /// Makes the allocation at `address` read-only for the device; the host's methods still write it.
    pub fn protect(&mut self, address: u64) {
        if let Some(slot) = self.index(address).and_then(|i| self.slots.get_mut(i)) {
            slot.read_only = true;
        }
    }

    /// Frees an allocation: its window stays, and every access to it is out of bounds from now on.
    /// `false` when `address` is not the start of a live one.
    pub fn free(&mut self, address: u64) -> bool {
        match self.index(address).and_then(|i| self.slots.get_mut(i)) {
            Some(slot) if slot.allocation.base == address && slot.allocation.bytes != 0 => {
                slot.data = Vec::new();
                slot.shared = None;
                slot.allocation.bytes = 0;
                true
            }
            _ => false,
        }
    }

    /// Where allocations stand now.
    pub fn mark(&self) -> Mark {
        Mark(self.slots.len())
    }

    /// Drops every allocation made after the mark (a kernel's `malloc`s, say).
    pub fn release_to(&mut self, mark: Mark) {
        self.slots.truncate(mark.0);
    }

    #[inline(always)]
    fn index(&self, address: u64) -> Option<usize> {
        Some((address >> Self::WINDOW).checked_sub(Self::FIRST)? as usize)
    }

    /// The allocation whose window holds `address`, whether or not the address is within its bounds.
    pub fn allocation_near(&self, address: u64) -> Option<&Allocation> {
        self.slots.get(self.index(address)?).map(|slot| &slot.allocation)
    }

    /// All allocations in order of creation; an allocation's index is `(base >> WINDOW) - FIRST`.
    pub fn allocations(&self) -> impl Iterator<Item = &Allocation> {
        self.slots.iter().map(|slot| &slot.allocation)
    }

    /// The bytes at `address`, or `None` when any of them is out of bounds.
    #[inline]
    pub fn slice(&self, address: u64, bytes: u64) -> Option<&[u8]> {
        let offset = (address & ((1 << Self::WINDOW) - 1)) as usize;
        let slot = self.slots.get(self.index(address)?)?;
        slot.bytes().get(offset..offset.checked_add(bytes as usize)?)
    }

    /// Like [`Self::slice`], to write.
    #[inline]
    pub fn slice_mut(&mut self, address: u64, bytes: u64) -> Option<&mut [u8]> {
        let offset = (address & ((1 << Self::WINDOW) - 1)) as usize;
        let index = self.index(address)?;
        self.slots.get_mut(index)?.bytes_mut().get_mut(offset..offset.checked_add(bytes as usize)?)
    }

    /// Sets bytes, as `cudaMemset` does; `false` when out of bounds.
    pub fn fill(&mut self, address: u64, bytes: u64, value: u8) -> bool {
        self.slice_mut(address, bytes).map(|target| target.fill(value)).is_some()
    }

    /// Writes bytes, as `cudaMemcpy` does; `false` when out of bounds.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        self.slice_mut(address, bytes.len() as u64).map(|target| target.copy_from_slice(bytes)).is_some()
    }

    /// The bytes at `address` for a device store: `None` also where the allocation is read-only.
    #[inline(always)]
    pub(super) fn device_mut(&mut self, address: u64, bytes: u64) -> Option<&mut [u8]> {
        let offset = (address & ((1 << Self::WINDOW) - 1)) as usize;
        let index = self.index(address)?;
        let slot = self.slots.get_mut(index)?;
        if slot.read_only {
            return None;
        }
        slot.bytes_mut().get_mut(offset..offset.checked_add(bytes as usize)?)
    }

    pub(super) fn is_read_only(&self, address: u64) -> bool {
        self.index(address).and_then(|i| self.slots.get(i)).is_some_and(|slot| slot.read_only)
    }
}
