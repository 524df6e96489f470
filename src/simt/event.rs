//! What the embedded device tells an observer while a kernel runs.
//!
//! The device is generic over [`Observer`]. With [`Unobserved`] (`ENABLED == false`) every call below is
//! compiled away, so the plain device pays nothing. The memory model is an observer; so are tests.
//!
//! Events come per *warp instruction*, not per lane: one [`Access`] holds up to 32 lanes' addresses.

use serde::{Deserialize, Serialize};

use super::memory::GlobalMemory;

/// Index of a decoded instruction in its [`super::Program`]; `Program::source` gives the student's line.
pub type Site = u32;

/// Lanes of a warp.
pub const WARP: usize = 32;

/// Memory that threads share, after generic addresses have been resolved.
/// Local, constant and parameter space are private or read-only and are never reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Space {
    /// Addresses are the device's global addresses.
    Global,
    /// Addresses are byte offsets into the block's shared memory.
    Shared,
}

/// What one instruction does to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    Load,
    Store,
    /// Read-modify-write: `atom` and `red`.
    Atomic {
        /// `red`, which returns nothing and so never forms an acquire pattern (PTX 8.8).
        reduction: bool,
        form: AtomicForm,
    },
}

/// What sets some read-modify-writes apart from the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomicForm {
    /// The old value counts: `add`, `min`, `or`, …, and an exchange whose old value is used.
    Update,
    /// `cas`: whoever takes a lock does it so.
    Compare,
    /// An exchange whose old value no instruction reads: no more than a store.
    Replace,
}

/// The instruction's `.sem` (PTX "Memory Consistency Model", strong operations).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Weak,
    Volatile,
    Mmio,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
}

/// The instruction's `.scope`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Scope {
    Cta,
    Cluster,
    Gpu,
    Sys,
}

/// How the lanes' addresses lie; a hint that lets a whole warp be treated at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Every active lane has the same address.
    Uniform,
    /// Lane `i` has `address[0] + i * bytes`, where `address[0]` is computed even if lane 0 is inactive.
    Consecutive {
        base: u64,
    },
    Scattered,
}

/// One warp instruction's access to global or shared memory.
#[derive(Debug)]
pub struct Access<'a> {
    pub site: Site,
    /// Linear block index in the grid.
    pub block: u32,
    /// Warp index in the block.
    pub warp: u32,
    /// Active lanes; never zero. Lanes in different spaces come in separate events.
    pub mask: u32,
    pub space: Space,
    pub kind: AccessKind,
    pub order: Order,
    /// Meaningless when `order` is weak; `Sys` for volatile and mmio.
    pub scope: Scope,
    /// Bytes that one lane touches (1 to 32), i.e. element size times vector length.
    pub bytes: u32,
    /// Size of one element of a vector access; each element is its own memory operation (PTX 8.2.2).
    pub element: u32,
    /// Byte address per lane; entries of inactive lanes are meaningless.
    pub addresses: &'a [u64; WARP],
    pub shape: Shape,
}

/// The values a load is about to give to the registers, which an observer may replace by older ones.
/// `bytes[lane]` holds the lane's bytes in memory order, `Access::bytes` of them valid.
#[derive(Debug)]
pub struct Loaded {
    pub bytes: [[u8; 32]; WARP],
}

/// How an observer wants an atomic's lanes to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomicRead {
    /// Each read-modify-write reads the newest value: all a sound atomic can do.
    Newest,
    /// The device calls [`Observer::atomic_reads`] for each lane.
    Ask,
}

/// What a fence orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FenceOrder {
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// How a warp takes part in a block barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarrierKind {
    /// `bar.sync`, `barrier.sync`.
    Sync,
    /// `bar.red`, which also synchronises.
    Reduce,
    /// `bar.arrive`, which only releases and does not wait.
    Arrive,
}

/// Lanes of one warp arriving at a block barrier.
#[derive(Debug, Clone, Copy)]
pub struct BarrierArrival {
    pub site: Site,
    pub block: u32,
    pub warp: u32,
    pub mask: u32,
    /// The barrier's number, 0 to 15.
    pub id: u32,
    pub kind: BarrierKind,
    /// The thread count operand, where written; `None` is the whole block.
    pub expected: Option<u32>,
    /// `bar.*` and `barrier.*.aligned` need every thread of the warp at this very instruction; plain `barrier.*` does not.
    pub aligned: bool,
}

/// A launch, as an observer sees it.
#[derive(Debug, Clone, Copy)]
pub struct LaunchShape {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of shared memory a block has: static plus dynamic.
    pub shared_bytes: u32,
    /// Number of sites in the program, to size per-site tables.
    pub sites: u32,
}

impl LaunchShape {
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// Threads in a block.
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }
}

/// Receives the device's events. All methods have empty defaults, so that an observer names only what it needs.
pub trait Observer {
    /// `false` removes every call at compile time.
    const ENABLED: bool;

    /// A launch begins; memory holds its initial values. A launch boundary orders everything before it (PTX 8.9.4).
    fn launch_started(&mut self, _launch: &LaunchShape, _memory: &GlobalMemory) {}
    fn launch_finished(&mut self, _memory: &GlobalMemory) {}

    /// Whether accesses of this site are to be reported. Asked once per site and launch; others take the plain path.
    fn watches(&self, _site: Site) -> bool {
        true
    }

    /// Whether the scheduler should let lanes of a warp drift apart at this site (to show races inside a warp).
    /// Asked once per site and launch.
    fn splits(&self, _site: Site) -> bool {
        false
    }

    /// A block becomes resident.
    fn block_started(&mut self, _block: u32) {}
    /// All its threads have exited.
    fn block_finished(&mut self, _block: u32) {}

    /// Whether [`Observer::load`] replaces values in this launch. Where it does not, it need not be given them.
    fn replaces(&self) -> bool {
        true
    }

    /// A load has read the newest values; an observer that [replaces](Observer::replaces) may put older ones there.
    /// `memory` is global memory as it is now; `shared` the block's shared memory.
    fn load(&mut self, _access: &Access, _memory: &GlobalMemory, _shared: &[u8], _loaded: &mut Loaded) {}

    /// A store is about to happen: memory still holds the old bytes; `stored` what will be written.
    fn store(&mut self, _access: &Access, _memory: &GlobalMemory, _shared: &[u8], _stored: &Loaded) {}

    /// An atomic is about to happen: memory still holds the old bytes.
    fn atomic(&mut self, _access: &Access, _memory: &GlobalMemory, _shared: &[u8]) -> AtomicRead {
        AtomicRead::Newest
    }

    /// After [`AtomicRead::Ask`]: the value (low `bytes` bytes) that this lane's read-modify-write reads.
    fn atomic_reads(&mut self, _access: &Access, _lane: u32, newest: u128) -> u128 {
        newest
    }

    /// The atomic was performed, lane by lane in `lane_order`; `wrote` are the lanes that stored a value
    /// (a failed compare-and-swap only reads).
    fn atomic_performed(&mut self, _access: &Access, _wrote: u32, _lane_order: &[u8]) {}

    fn fence(&mut self, _site: Site, _block: u32, _warp: u32, _mask: u32, _order: FenceOrder, _scope: Scope) {
    }

    /// The bytes of shared memory that these lanes have just stored (`bytes` each) are an asynchronous copy's
    /// (`cp.async`): they hold nothing until the lane has waited for it.
    fn copying(
        &mut self,
        _site: Site,
        _block: u32,
        _warp: u32,
        _mask: u32,
        _addresses: &[u64; WARP],
        _bytes: u32,
    ) {
    }
    /// The lanes' copies since the last commit become a group.
    fn copies_committed(&mut self, _block: u32, _warp: u32, _mask: u32) {}
    /// The lanes have waited until at most `left` groups of theirs are under way; `None` is for all copies.
    fn copies_awaited(&mut self, _block: u32, _warp: u32, _mask: u32, _left: Option<u32>) {}

    fn barrier_arrived(&mut self, _arrival: &BarrierArrival) {}
    /// Barrier `id` of the block opened; all arrivals since it last opened took part.
    fn barrier_completed(&mut self, _block: u32, _id: u32) {}

    /// `bar.warp.sync` completed for these lanes.
    fn warp_barrier(&mut self, _site: Site, _block: u32, _warp: u32, _mask: u32) {}

    /// Lanes call something of the runtime's: `printf`, `malloc`.
    fn runtime_called(&mut self, _site: Site, _block: u32, _warp: u32, _mask: u32) {}

    /// Asked while a block is [scouted](super::scout): whether it has now met other blocks, or anything else whose order
    /// among blocks or threads can show.
    fn ends_scouting(&self) -> bool {
        false
    }

    /// Asked when a block has been scouted: whether its threads race, so that their order shows already.
    fn finds_fault(&self) -> bool {
        false
    }

    /// Lanes left the kernel.
    fn threads_exited(&mut self, _site: Site, _block: u32, _warp: u32, _mask: u32) {}
}

/// Watches nothing, costs nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct Unobserved;

impl Observer for Unobserved {
    const ENABLED: bool = false;
}
