//! The observer that judges launches.
//!
//! Follows MEMORY-MODEL: the race test of PTX 8.7.1 per byte, clocks as in `threads.rs`, patterns as in `sync.rs`,
//! barriers as in `barrier.rs`, old values as in `stale.rs`. A launch's boundaries order everything (PTX 8.9.4),
//! so nothing but initialisation and the counters' values is carried from one launch to the next.

use std::collections::BTreeSet;

use super::barrier::Barriers;
use super::collect::Collector;
use super::copies::Copies;
use super::counters::Counters;
use super::fault;
use super::finding::{Report, Step, Unmodelled};
use super::initial::Uninitialised;
use super::inputs::Inputs;
use super::options::Options;
use super::record::lanes;
use super::residents::Residents;
use super::shadow::Shadow;
use super::stale::{FenceOrders, Picker};
use super::threads::Threads;
use super::trace::{Entry, Traces};
use super::watch::{SiteUses, WatchPlan};
use crate::simt::{
    Access, AtomicRead, BarrierArrival, Fault, FenceOrder, GlobalMemory, LaunchShape, Loaded, Observer,
    Scope, Site, Space, WARP,
};

/// Watches launches and collects what they violate.
///
/// One checker serves one kernel (or one plan of launches on the same buffers): call [`Checker::begin_run`] for
/// each seed, hand it to the device for each launch, then read [`Checker::report`].
#[derive(Debug, Default)]
pub struct Checker {
    pub(super) options: Options,
    pub(super) collector: Collector,
    pub(super) blocks: Residents,
    /// Threads of a block of this launch.
    block_threads: u32,
    /// By allocation.
    pub(super) global: Vec<Shadow>,
    pub(super) traces: Traces,
    pub(super) uninitialised: Uninitialised,
    pub(super) inputs: Inputs,
    pub(super) uses: SiteUses,
    pub(super) picker: Picker,
    pub(super) fence_orders: FenceOrders,
    pub(super) counters: Counters,
    /// Locations that lanes of the current atomic have already updated.
    pub(super) updated: Vec<u64>,
    /// Words that the adversary has looked for earlier values of, over all runs.
    pub(super) looks: u64,
    settled: bool,
}

/// What a checker has allocated for a launch's memory and blocks.
#[derive(Debug, Default)]
pub struct Tables(Vec<Shadow>, Residents);

/// A resident block.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub threads: Threads,
    pub shared: Shadow,
    pub barriers: Barriers,
    pub copies: Copies,
}

impl Checker {
    pub fn new(options: Options) -> Self {
        let mut checker = Checker { settled: true, block_threads: 1024, ..Checker::default() };
        checker.set_options(options);
        checker
    }

    /// Uses the tables of a checker that has done its work, so that they need not grow again.
    pub fn reusing(mut self, tables: Tables) -> Self {
        self.global = tables.0;
        self.blocks = tables.1;
        self
    }

    /// What it has allocated, for [`Checker::reusing`].
    pub fn into_tables(mut self) -> Tables {
        self.blocks.clear();
        Tables(self.global, self.blocks)
    }

    /// A new execution of the plan begins, with fresh buffers: what earlier runs stored is forgotten, what they
    /// violated is kept. `seed` is what findings will name.
    pub fn begin_run(&mut self, seed: u64) {
        self.settle();
        self.collector.seed = seed;
        self.collector.report.runs += 1;
        self.uninitialised.clear();
        self.counters.clear();
    }

    /// Replaces the options; rows use another adversary's seed each run.
    pub fn set_options(&mut self, options: Options) {
        self.collector.set_options(&options);
        self.picker = Picker::new(options.adversary);
        self.options = options;
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Global bytes that hold nothing yet: reading one is a finding until somebody writes it. Call it after
    /// [`Checker::begin_run`].
    pub fn uninitialised(&mut self, base: u64, bytes: u64) {
        self.uninitialised.mark(base, bytes);
    }

    /// Global bytes that the host has filled.
    pub fn initialised(&mut self, base: u64, bytes: u64) {
        self.uninitialised.written(base, bytes);
    }

    /// An allocation that no launch is expected to write. Its reads cost less; if it is written after all, the run has to
    /// be repeated: see [`Checker::has_to_repeat`].
    pub fn expect_only_reads(&mut self, base: u64) {
        self.inputs.expect(base);
    }

    /// Whether an allocation was written that was expected to be read only: this checker's report is then not to be used.
    pub fn has_to_repeat(&self) -> bool {
        self.inputs.is_broken()
    }

    /// Something that the checker or the device does not model: the verdict cannot be `defined`.
    pub fn unmodelled(&mut self, site: Option<Site>, reason: impl Into<String>) {
        let entry = Unmodelled { site, reason: reason.into(), seed: self.collector.seed };
        let unknown = &mut self.collector.report.unknown;
        if !unknown.iter().any(|u| u.site == entry.site && u.reason == entry.reason) {
            unknown.push(entry);
        }
    }

    /// The device stopped a launch. Call it for every fault: bounds, deadlocks and endless loops become findings,
    /// everything else makes the verdict unknown.
    pub fn fault(&mut self, fault: &Fault) {
        self.settle();
        if let Some(reason) = fault::found(fault, &mut self.collector, &self.blocks) {
            self.unmodelled(fault.site, reason);
        }
        self.blocks.clear();
    }

    /// How often the adversary has looked for a word's earlier values, over all runs: what a racing run costs.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    pub fn report(&self) -> &Report {
        &self.collector.report
    }

    /// What later runs of the same program need to watch; empty when no race was seen.
    pub fn watch_plan(&self) -> WatchPlan {
        if self.collector.raced.is_empty() && !self.collector.raced_shared {
            return WatchPlan::default();
        }
        let watch = self.uses.touching(&self.collector.raced, self.collector.raced_shared);
        WatchPlan { watch, splits: self.collector.splits.clone() }
    }

    fn settle(&mut self) {
        if !self.settled {
            self.collector.settle(&self.traces);
            self.settled = true;
        }
    }

    pub(super) fn block(&mut self, block: u32) -> &mut Block {
        self.blocks.get_or_begin(block, self.block_threads)
    }

    /// Keeps an event for explanations, where there will be any.
    pub(super) fn trace(&mut self, block: u32, entry: Entry) {
        if !self.collector.silent {
            self.traces.add(block, entry);
        }
    }

    fn entry(&mut self, block: u32, warp: u32, mask: u32, site: Site, step: Step) -> Entry {
        let threads = &self.block(block).threads;
        Entry {
            step,
            site,
            warp: warp as u16,
            mask,
            phase: threads.phase,
            tick: threads.warp(warp).tick,
            space: Space::Shared,
            address: 0,
            bytes: 0,
            number: 0,
        }
    }
}

impl Observer for Checker {
    const ENABLED: bool = true;

    fn launch_started(&mut self, launch: &LaunchShape, memory: &GlobalMemory) {
        self.settle();
        self.settled = false;
        self.block_threads = launch.threads();
        self.blocks.clear();
        self.global.iter_mut().for_each(Shadow::clear);
        self.traces.clear();
        self.fence_orders.clear();
        self.collector.begin_launch(memory);
        self.uses.begin_launch(launch.sites);
        self.inputs.begin_launch();
        self.counters.begin_launch(launch);
    }

    fn launch_finished(&mut self, memory: &GlobalMemory) {
        self.counters.end_launch(memory, &mut self.collector);
        self.collector.report.launches += 1;
        self.settle();
    }

    fn watches(&self, site: Site) -> bool {
        self.options.watch.as_ref().is_none_or(|w: &BTreeSet<Site>| w.contains(&site))
    }

    fn splits(&self, site: Site) -> bool {
        self.options.splits.contains(&site)
    }

    fn block_started(&mut self, block: u32) {
        self.blocks.remove(block);
        self.block(block);
    }

    fn block_finished(&mut self, block: u32) {
        self.blocks.remove(block);
    }

    fn replaces(&self) -> bool {
        self.picker.is_on()
    }

    fn load(&mut self, access: &Access, memory: &GlobalMemory, shared: &[u8], loaded: &mut Loaded) {
        self.judge_load(access, memory, shared, loaded);
    }

    fn store(&mut self, access: &Access, memory: &GlobalMemory, shared: &[u8], stored: &Loaded) {
        self.judge_store(access, memory, shared, stored);
    }

    fn atomic(&mut self, access: &Access, memory: &GlobalMemory, shared: &[u8]) -> AtomicRead {
        self.before_atomic(access, memory, shared)
    }

    fn atomic_reads(&mut self, access: &Access, lane: u32, newest: u128) -> u128 {
        self.narrow_read(access, lane, newest)
    }

    fn atomic_performed(&mut self, access: &Access, wrote: u32, lane_order: &[u8]) {
        self.judge_atomic(access, wrote, lane_order);
    }

    fn fence(&mut self, site: Site, block: u32, warp: u32, mask: u32, order: FenceOrder, scope: Scope) {
        let entry = self.entry(block, warp, mask, site, Step::Fence(scope));
        self.trace(block, entry);
        self.block(block).threads.fence(warp, mask, order, scope);
        if self.picker.is_on() && order == FenceOrder::SeqCst && matches!(scope, Scope::Gpu | Scope::Sys) {
            for lane in lanes(mask) {
                self.fence_orders.fence(thread_number(block, warp, lane), entry.tick);
            }
        }
    }

    fn copying(&mut self, site: Site, block: u32, warp: u32, mask: u32, addresses: &[u64; WARP], bytes: u32) {
        self.begin_copies((site, block, warp), mask, addresses, bytes);
    }

    fn copies_committed(&mut self, block: u32, warp: u32, mask: u32) {
        let block = self.block(block);
        lanes(mask).for_each(|lane| block.copies.commit(warp * 32 + lane));
    }

    fn copies_awaited(&mut self, block: u32, warp: u32, mask: u32, left: Option<u32>) {
        lanes(mask).for_each(|lane| self.end_copies(block, warp, lane, left));
    }

    fn barrier_arrived(&mut self, arrival: &BarrierArrival) {
        self.block(arrival.block).barriers.arrived(*arrival);
    }

    fn barrier_completed(&mut self, block: u32, id: u32) {
        self.block(block);
        let Checker { blocks, collector, .. } = self;
        let Some(resident) = blocks.get_mut(block) else { return };
        let Block { threads, barriers, .. } = resident;
        if let Some((site, warp, mask)) = barriers.completed(id, threads, collector)
            && self.traces.has(block)
        {
            let entry = self.entry(block, warp, mask, site, Step::BlockBarrier);
            self.trace(block, entry);
        }
    }

    fn warp_barrier(&mut self, _site: Site, block: u32, warp: u32, mask: u32) {
        self.block(block).threads.warp_barrier(warp, mask);
    }

    fn threads_exited(&mut self, site: Site, block: u32, warp: u32, mask: u32) {
        let threads = &mut self.block(block).threads;
        let phase = threads.phase;
        let state = &mut threads.warps[warp as usize];
        state.live &= !mask;
        state.exits.push((site, mask, phase));
    }
}

/// A thread's number in the launch, for tables.
pub(super) fn thread_number(block: u32, warp: u32, lane: u32) -> u64 {
    u64::from(block) << 16 | u64::from(warp * 32 + lane)
}
