//! A hand-driven device: one lane's instruction at a time, told to the checker exactly as the embedded device
//! would tell it.

use std::collections::HashMap;

use warpgrade::model::{Checker, Options, RawFinding, Violation};
use warpgrade::simt::{
    Access, AccessKind, AtomicForm, AtomicRead, BarrierArrival, BarrierKind, FenceOrder, GlobalMemory,
    LaunchShape, Loaded, Observer, Order, Scope, Shape, Site, Space, WARP,
};

/// A block and a linear thread index in it.
pub type Thread = (u32, u32);

pub struct Gpu {
    pub checker: Checker,
    pub memory: GlobalMemory,
    shared: HashMap<u32, Vec<u8>>,
    launch: LaunchShape,
}

impl Gpu {
    /// A launch of `blocks` blocks of `threads` threads, over 4-byte global words that hold 0.
    pub fn new(options: Options, blocks: u32, threads: u32) -> Gpu {
        let launch =
            LaunchShape { grid: [blocks, 1, 1], block: [threads, 1, 1], shared_bytes: 1024, sites: 100 };
        let mut gpu = Gpu {
            checker: Checker::new(options),
            memory: GlobalMemory::new(),
            shared: HashMap::new(),
            launch,
        };
        for name in ["x", "y", "z", "counter", "flag"] {
            gpu.memory.allocate(name, 4096, 4);
        }
        gpu.checker.begin_run(0);
        gpu.start();
        gpu
    }

    pub fn start(&mut self) {
        self.checker.launch_started(&self.launch, &self.memory);
        for block in 0..self.launch.grid[0] {
            self.checker.block_started(block);
            self.shared.insert(block, vec![0; 1024]);
        }
    }

    pub fn finish(&mut self) -> Vec<RawFinding> {
        for block in 0..self.launch.grid[0] {
            self.checker.block_finished(block);
        }
        self.checker.launch_finished(&self.memory);
        self.checker.report().findings.clone()
    }

    pub fn at(&self, name: &str, index: u64) -> u64 {
        self.memory.allocations().find(|a| a.name == name).expect("a known buffer").base + index * 4
    }

    fn bytes(&mut self, block: u32, space: Space, address: u64, count: u32) -> &mut [u8] {
        match space {
            Space::Global => self.memory.slice_mut(address, u64::from(count)).expect("in bounds"),
            Space::Shared => {
                let start = address as usize;
                &mut self.shared.get_mut(&block).expect("resident")[start..start + count as usize]
            }
        }
    }

    fn with<R>(
        &mut self,
        (block, thread): Thread,
        site: Site,
        (kind, order, scope): (AccessKind, Order, Scope),
        (space, address, bytes): (Space, u64, u32),
        f: impl FnOnce(&mut Checker, &Access, &GlobalMemory, &[u8]) -> R,
    ) -> R {
        let mut addresses = [0; WARP];
        addresses[(thread % 32) as usize] = address;
        let access = Access {
            site,
            block,
            warp: thread / 32,
            mask: 1 << (thread % 32),
            space,
            kind,
            order,
            scope,
            bytes,
            element: bytes,
            addresses: &addresses,
            shape: Shape::Scattered,
        };
        f(&mut self.checker, &access, &self.memory, &self.shared[&block])
    }

    pub fn store_as(
        &mut self,
        thread: Thread,
        site: Site,
        order: Order,
        scope: Scope,
        place: Place,
        value: u32,
    ) {
        let lane = (thread.1 % 32) as usize;
        let count = place.2 as usize;
        let mut stored = Loaded { bytes: [[0; 32]; WARP] };
        stored.bytes[lane][..count].copy_from_slice(&value.to_le_bytes()[..count]);
        self.with(
            thread,
            site,
            (AccessKind::Store, order, scope),
            place,
            |checker, access, memory, shared| {
                checker.store(access, memory, shared, &stored);
            },
        );
        self.bytes(thread.0, place.0, place.1, place.2).copy_from_slice(&stored.bytes[lane][..count]);
    }

    pub fn load_as(&mut self, thread: Thread, site: Site, order: Order, scope: Scope, place: Place) -> u32 {
        let lane = (thread.1 % 32) as usize;
        let count = place.2 as usize;
        let mut loaded = Loaded { bytes: [[0; 32]; WARP] };
        loaded.bytes[lane][..count].copy_from_slice(self.bytes(thread.0, place.0, place.1, place.2));
        self.with(
            thread,
            site,
            (AccessKind::Load, order, scope),
            place,
            |checker, access, memory, shared| {
                checker.load(access, memory, shared, &mut loaded);
            },
        );
        let mut value = [0; 4];
        value[..count].copy_from_slice(&loaded.bytes[lane][..count]);
        u32::from_le_bytes(value)
    }

    pub fn store(&mut self, thread: Thread, site: Site, address: u64, value: u32) {
        self.store_as(thread, site, Order::Weak, Scope::Sys, (Space::Global, address, 4), value);
    }

    pub fn load(&mut self, thread: Thread, site: Site, address: u64) -> u32 {
        self.load_as(thread, site, Order::Weak, Scope::Sys, (Space::Global, address, 4))
    }

    pub fn store_shared(&mut self, thread: Thread, site: Site, offset: u64, value: u32) {
        self.store_as(thread, site, Order::Weak, Scope::Sys, (Space::Shared, offset, 4), value);
    }

    pub fn load_shared(&mut self, thread: Thread, site: Site, offset: u64) -> u32 {
        self.load_as(thread, site, Order::Weak, Scope::Sys, (Space::Shared, offset, 4))
    }

    /// `atomicAdd` on a global word; gives the value before.
    pub fn add(
        &mut self,
        thread: Thread,
        site: Site,
        order: Order,
        scope: Scope,
        address: u64,
        n: u32,
    ) -> u32 {
        self.modify(thread, site, order, scope, address, |old| Some(old.wrapping_add(n)))
    }

    /// Any read-modify-write on a global word; `None` stores nothing.
    pub fn modify(
        &mut self,
        thread: Thread,
        site: Site,
        order: Order,
        scope: Scope,
        address: u64,
        f: impl FnOnce(u32) -> Option<u32>,
    ) -> u32 {
        let place = (Space::Global, address, 4);
        let how = (AccessKind::Atomic { reduction: false, form: AtomicForm::Update }, order, scope);
        let lane = thread.1 % 32;
        let newest = u32::from_le_bytes(
            self.bytes(thread.0, Space::Global, address, 4).try_into().expect("four bytes"),
        );
        let old = self.with(thread, site, how, place, |checker, access, memory, shared| {
            match checker.atomic(access, memory, shared) {
                AtomicRead::Newest => newest,
                AtomicRead::Ask => checker.atomic_reads(access, lane, u128::from(newest)) as u32,
            }
        });
        let new = f(old);
        if let Some(new) = new {
            self.bytes(thread.0, Space::Global, address, 4).copy_from_slice(&new.to_le_bytes());
        }
        let wrote = if new.is_some() { 1 << lane } else { 0 };
        self.with(thread, site, how, place, |checker, access, _, _| {
            checker.atomic_performed(access, wrote, &[lane as u8]);
        });
        old
    }

    pub fn fence(&mut self, (block, thread): Thread, site: Site, scope: Scope) {
        self.checker.fence(site, block, thread / 32, 1 << (thread % 32), FenceOrder::SeqCst, scope);
    }

    /// `__syncthreads()` by every thread of the block.
    pub fn barrier(&mut self, block: u32, site: Site) {
        let threads = self.launch.block[0];
        self.arrive(block, site, 0, 0..threads, BarrierKind::Sync, None);
        self.checker.barrier_completed(block, 0);
    }

    pub fn arrive(
        &mut self,
        block: u32,
        site: Site,
        id: u32,
        threads: std::ops::Range<u32>,
        kind: BarrierKind,
        expected: Option<u32>,
    ) {
        for warp in 0..self.launch.block[0].div_ceil(32) {
            let mask = threads.clone().filter(|t| t / 32 == warp).fold(0, |mask, t| mask | 1u32 << (t % 32));
            if mask != 0 {
                let arrival = BarrierArrival { site, block, warp, mask, id, kind, expected, aligned: true };
                self.checker.barrier_arrived(&arrival);
            }
        }
    }
}

/// Space, address (or offset), bytes.
pub type Place = (Space, u64, u32);

/// The races among findings, as (first site, second site, strict only).
pub fn races(findings: &[RawFinding]) -> Vec<(Site, Site, bool)> {
    findings
        .iter()
        .filter_map(|f| match &f.violation {
            Violation::Race(race) => Some((f.first.site?, f.second.as_ref()?.site?, race.strict_only)),
            _ => None,
        })
        .collect()
}
