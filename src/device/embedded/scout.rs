//! Checkpoints for a row: a hundred runs of one launch do the same until blocks meet.
//!
//! The checker watches while blocks are scouted: a block whose threads race is different in every schedule, and is run
//! from its beginning each time, as all blocks of its launch then are.

use rayon::prelude::*;

use super::execute::Call;
use super::program::EmbeddedProgram;
use super::rows::call;
use crate::device::Job;
use crate::model::{Checker, Options};
use crate::simt::{
    Access, AtomicRead, BarrierArrival, BarrierKind, Checkpoints, FenceOrder, GlobalMemory, LaunchShape,
    Loaded as Values, Observer, Order, Part, Scope, Site, Space, WARP,
};

/// Most bytes that a row's checkpoints may take, of several rows at a time: day 27's at 8,192 blocks take 13 MB.
const MOST_BYTES: usize = 64 << 20;
/// Warp instructions that a share may take beyond what it should.
const SPARE: u64 = 100_000;
/// Shares of the grid, whatever the number of workers: each has a limit, and every machine must come to the same end.
const SHARES: u64 = 16;

impl EmbeddedProgram {
    /// Scouts a row's launch, which takes `instructions` warp instructions from beginning to end. `None` when its runs have
    /// to begin at the beginning: because its threads race, or because they meet other blocks before any barrier.
    pub fn checkpoints(&self, job: &Job, instructions: u64) -> Option<Checkpoints> {
        let blocks: u64 = job.grid.iter().map(|&n| u64::from(n)).product();
        let span = blocks.div_ceil(SHARES).max(1);
        let starts: Vec<u64> = (0..blocks).step_by(span as usize).collect();
        let bytes = MOST_BYTES / starts.len();
        // More than its share of a run nobody needs to come as far as a run does, unless blocks are very unlike.
        let call = Call { budget: 2 * instructions / starts.len() as u64 + SPARE, ..call(job, 0) };
        let share = |start: &u64| {
            let mut loaded = self.loaded(job);
            let inputs = job.buffers.iter().zip(&loaded.addresses).filter(|(buffer, _)| buffer.read_only);
            let mut scout = Scout::of(inputs.map(|(_, &address)| address));
            loaded.scout(&call, *start..(start + span).min(blocks), bytes, &mut scout)
        };
        let parts: Option<Vec<Part>> = starts.par_iter().map(share).collect();
        Checkpoints::of(parts?, span)
    }
}

/// Watches a block that is scouted.
struct Scout {
    checker: Checker,
    /// Windows of the buffers that no block writes.
    inputs: Vec<u64>,
    /// The block now running has met others.
    met: bool,
}

impl Scout {
    /// `inputs` are the addresses of buffers that only the host has written.
    fn of(inputs: impl Iterator<Item = u64>) -> Scout {
        let inputs: Vec<u64> = inputs.collect();
        let mut checker = Checker::new(Options::default());
        inputs.iter().for_each(|&base| checker.expect_only_reads(base));
        checker.begin_run(0);
        let inputs = inputs.iter().map(|base| base >> GlobalMemory::WINDOW).collect();
        Scout { checker, inputs, met: false }
    }

    /// Whether all lanes read what nobody writes.
    fn is_of_inputs(&self, access: &Access) -> bool {
        let own = |lane: &usize| access.mask >> lane & 1 != 0;
        let input = |lane: usize| self.inputs.contains(&(access.addresses[lane] >> GlobalMemory::WINDOW));
        access.order == Order::Weak && (0..WARP).filter(own).all(input)
    }
}

impl Observer for Scout {
    const ENABLED: bool = true;

    fn launch_started(&mut self, launch: &LaunchShape, memory: &GlobalMemory) {
        self.checker.launch_started(launch, memory);
    }

    fn block_started(&mut self, block: u32) {
        self.met = false;
        self.checker.block_started(block);
    }

    fn block_finished(&mut self, block: u32) {
        self.checker.block_finished(block);
    }

    fn replaces(&self) -> bool {
        false
    }

    fn load(&mut self, access: &Access, memory: &GlobalMemory, shared: &[u8], loaded: &mut Values) {
        if access.space == Space::Global && !self.is_of_inputs(access) {
            self.met = true;
        } else {
            self.checker.load(access, memory, shared, loaded);
        }
    }

    fn store(&mut self, access: &Access, memory: &GlobalMemory, shared: &[u8], stored: &Values) {
        if access.space == Space::Global {
            self.met = true;
        } else {
            self.checker.store(access, memory, shared, stored);
        }
    }

    fn atomic(&mut self, _access: &Access, _memory: &GlobalMemory, _shared: &[u8]) -> AtomicRead {
        self.met = true;
        AtomicRead::Newest
    }

    fn fence(&mut self, _site: Site, _block: u32, _warp: u32, _mask: u32, _order: FenceOrder, _scope: Scope) {
        self.met = true;
    }

    fn copying(&mut self, _: Site, _: u32, _: u32, _: u32, _: &[u64; WARP], _: u32) {
        self.met = true;
    }

    fn barrier_arrived(&mut self, arrival: &BarrierArrival) {
        // A barrier of some threads says less than one of all.
        self.met |= arrival.kind == BarrierKind::Arrive || arrival.expected.is_some();
        self.checker.barrier_arrived(arrival);
    }

    fn barrier_completed(&mut self, block: u32, id: u32) {
        self.checker.barrier_completed(block, id);
    }

    fn warp_barrier(&mut self, site: Site, block: u32, warp: u32, mask: u32) {
        self.checker.warp_barrier(site, block, warp, mask);
    }

    fn runtime_called(&mut self, _site: Site, _block: u32, _warp: u32, _mask: u32) {
        self.met = true;
    }

    fn ends_scouting(&self) -> bool {
        self.met
    }

    fn finds_fault(&self) -> bool {
        let report = self.checker.report();
        !report.findings.is_empty() || !report.unknown.is_empty()
    }

    fn threads_exited(&mut self, _site: Site, _block: u32, _warp: u32, _mask: u32) {
        self.met = true;
    }
}
