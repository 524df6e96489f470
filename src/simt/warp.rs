//! A warp: its registers, its threads' stacks, and the groups of lanes it has fallen into.

use super::code::Reg;
use super::event::{Site, WARP};
use super::lanes::LastLoad;
use super::rows::{Row32, Row64};

/// Where a function's registers and stack begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Frame {
    pub rows32: u32,
    pub rows64: u32,
    pub preds: u32,
    /// First byte of the function's frame in local memory.
    pub stack: u32,
    pub function: u32,
}

/// What `ret` returns to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Return {
    pub pc: u32,
    pub frame: Frame,
    /// Index of the call site.
    pub call: u32,
}

/// What a group of lanes waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Wait {
    #[default]
    None,
    /// A block barrier.
    Barrier(u32),
    /// Other lanes of the warp, at a warp barrier or warp-wide operation with these members.
    Warp { members: u32, kind: WarpWait },
}

/// Which warp-wide operations may meet each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WarpWait {
    Sync,
    Collective(super::code::CollectiveOp),
}

/// Lanes that execute together.
#[derive(Debug, Clone, Default)]
pub(super) struct Split {
    pub pc: u32,
    pub mask: u32,
    pub frame: Frame,
    pub stack: Vec<Return>,
    pub wait: Wait,
    /// The lanes found out that nothing they read changes: the memory version they saw.
    pub parked: Option<u64>,
    /// Held back while other lanes run ahead (see `Observer::splits`): turns left.
    pub held: u32,
    /// When it last ran, to be fair among splits.
    pub ran: u64,
    pub spin: super::progress::Spin,
}

impl Split {
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Whether two groups of lanes are at the same place, so that they can go on as one.
    pub fn meets(&self, other: &Split) -> bool {
        self.pc == other.pc
            && self.frame == other.frame
            && self.wait == Wait::None
            && other.wait == Wait::None
            && self.held == 0
            && other.held == 0
            && self.stack == other.stack
    }

    pub fn runnable(&self, version: u64) -> bool {
        self.wait == Wait::None && self.parked.is_none_or(|seen| seen != version)
    }
}

/// Local memory of 32 threads: each has the same number of bytes, growing together.
#[derive(Debug, Default)]
pub(super) struct LocalMemory {
    bytes: Vec<u8>,
    each: usize,
}

impl LocalMemory {
    /// Makes at least `bytes` bytes a thread.
    pub fn reserve(&mut self, bytes: u32) {
        let bytes = bytes as usize;
        if bytes <= self.each {
            return;
        }
        let each = bytes.next_power_of_two().max(64);
        let mut grown = vec![0; each * WARP];
        if self.each > 0 {
            for (new, old) in grown.chunks_mut(each).zip(self.bytes.chunks(self.each)) {
                new[..old.len()].copy_from_slice(old);
            }
        }
        self.bytes = grown;
        self.each = each;
    }

    pub fn get(&self, lane: usize, address: u64, bytes: u32) -> Option<&[u8]> {
        let own = self.bytes.get(lane * self.each..(lane + 1) * self.each)?;
        let address = usize::try_from(address).ok()?;
        own.get(address..address.checked_add(bytes as usize)?)
    }

    pub fn get_mut(&mut self, lane: usize, address: u64, bytes: u32) -> Option<&mut [u8]> {
        let own = self.bytes.get_mut(lane * self.each..(lane + 1) * self.each)?;
        let address = usize::try_from(address).ok()?;
        own.get_mut(address..address.checked_add(bytes as usize)?)
    }
}

/// A warp of a resident block.
#[derive(Debug, Default)]
pub(super) struct Warp {
    pub rows32: Vec<Row32>,
    pub rows64: Vec<Row64>,
    pub preds: Vec<u32>,
    /// Index in the block.
    pub index: u32,
    /// Lanes that have not exited.
    pub live: u32,
    /// The lanes that run, or ran last.
    pub at: Split,
    /// The others.
    pub others: Vec<Split>,
    pub tid: [Row32; 3],
    pub ctaid: [u32; 3],
    pub block: u64,
    pub local: LocalMemory,
    /// Bytes of local memory in use by the running lanes' frames.
    pub stack_end: u32,
    /// Warp instructions so far: the clock.
    pub clock: u64,
    /// Where the running split must stop to look at the others.
    pub limit: u32,
    /// Taken backward branches since progress was last looked at.
    pub backs: u32,
    /// Times that lanes parted by chance at one version of memory, and which.
    pub drifted: (u64, u32),
    /// What it loaded last, to guess what comes next.
    pub last_load: LastLoad,
}

impl Warp {
    /// Site that the running lanes are at.
    pub fn site(&self) -> Site {
        self.at.pc
    }

    /// Makes room for a frame.
    pub fn reserve(&mut self, frame: Frame, rows32: u32, rows64: u32, preds: u32) {
        let grow = |have: usize, base: u32, need: u32| have.max((base + need) as usize);
        let n = grow(self.rows32.len(), frame.rows32, rows32);
        self.rows32.resize(n, [0; WARP]);
        let n = grow(self.rows64.len(), frame.rows64, rows64);
        self.rows64.resize(n, [0; WARP]);
        let n = grow(self.preds.len(), frame.preds, preds);
        self.preds.resize(n, 0);
    }

    /// All groups, the running one first.
    pub fn splits(&self) -> impl Iterator<Item = &Split> {
        std::iter::once(&self.at).chain(&self.others)
    }
}

/// A 32-bit row of the running frame or the constant pool.
pub(super) fn row32<'a>(warp: &'a Warp, words: &'a [Row32], reg: Reg) -> &'a Row32 {
    if reg & super::code::CONST != 0 {
        &words[(reg & !super::code::CONST) as usize]
    } else {
        &warp.rows32[(warp.at.frame.rows32 + reg) as usize]
    }
}

/// A 64-bit row of the running frame or the constant pool.
pub(super) fn row64<'a>(warp: &'a Warp, doubles: &'a [Row64], reg: Reg) -> &'a Row64 {
    if reg & super::code::CONST != 0 {
        &doubles[(reg & !super::code::CONST) as usize]
    } else {
        &warp.rows64[(warp.at.frame.rows64 + reg) as usize]
    }
}

/// A predicate of the running frame, or a constant one.
pub(super) fn pred(warp: &Warp, reg: Reg) -> u32 {
    if reg & super::code::CONST != 0 {
        if reg & 1 == 1 { u32::MAX } else { 0 }
    } else {
        warp.preds[(warp.at.frame.preds + reg) as usize]
    }
}
