//! Global memory of the embedded device: named allocations, each in an address window of its own.
//!
//! An allocation's window is far larger than any allocation, so that an address that runs past its
//! buffer lands in no other buffer and is always seen as out of bounds.

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

/// All global memory of one device: buffers and `__device__` variables.
#[derive(Debug, Default)]
pub struct GlobalMemory {
    allocations: Vec<(Allocation, Vec<u8>)>,
}

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
        let base = (Self::FIRST + self.allocations.len() as u64) << Self::WINDOW;
        let allocation = Allocation { name: name.to_owned(), base, bytes, element: element.max(1) };
        self.allocations.push((allocation, vec![0; bytes as usize]));
        base
    }

    /// The allocation whose window holds `address`, whether or not the address is within its bounds.
    pub fn allocation_near(&self, address: u64) -> Option<&Allocation> {
        let index = (address >> Self::WINDOW).checked_sub(Self::FIRST)?;
        self.allocations.get(index as usize).map(|(a, _)| a)
    }

    /// All allocations in order of creation; an allocation's index is `(base >> WINDOW) - FIRST`.
    pub fn allocations(&self) -> impl Iterator<Item = &Allocation> {
        self.allocations.iter().map(|(a, _)| a)
    }

    /// The bytes at `address`, or `None` when any of them is out of bounds.
    pub fn slice(&self, address: u64, bytes: u64) -> Option<&[u8]> {
        let index = (address >> Self::WINDOW).checked_sub(Self::FIRST)? as usize;
        let offset = (address & ((1 << Self::WINDOW) - 1)) as usize;
        let (_, data) = self.allocations.get(index)?;
        data.get(offset..offset.checked_add(bytes as usize)?)
    }

    /// Like [`Self::slice`], to write.
    pub fn slice_mut(&mut self, address: u64, bytes: u64) -> Option<&mut [u8]> {
        let index = (address >> Self::WINDOW).checked_sub(Self::FIRST)? as usize;
        let offset = (address & ((1 << Self::WINDOW) - 1)) as usize;
        let (_, data) = self.allocations.get_mut(index)?;
        data.get_mut(offset..offset.checked_add(bytes as usize)?)
    }
}
