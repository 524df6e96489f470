//! Tickets that were not put back: a counter from which nobody is last any more.
//!
//! Not a memory-model violation, but the commonest way to get day 27's kernel wrong on its second launch. Seen
//! only across launches on the same buffers, and only when all of it holds: a counter began one launch at 0 and
//! gave every block one ticket; a later launch of the same grid takes as many, beginning where the earlier one
//! stopped; and some store that the earlier launch executed is never reached.

use rustc_hash::FxHashMap;

use super::collect::Collector;
use super::finding::{Action, Side, Violation};
use crate::record::Severity;
use crate::simt::{Access, AccessKind, GlobalMemory, LaunchShape, Site, Space};

/// Counters followed a launch.
const FOLLOWED: usize = 64;

#[derive(Debug, Clone, Copy)]
struct Counter {
    site: Site,
    block: u32,
    thread: u32,
    start: u64,
    tickets: u64,
    bytes: u32,
}

#[derive(Debug, Default, Clone)]
struct Seen {
    grid: [u32; 3],
    blocks: u64,
    counters: FxHashMap<u64, Counter>,
    /// Sites of stores that were executed.
    stores: Vec<bool>,
}

/// The counters of this launch and of the first one of the run.
#[derive(Debug, Default)]
pub(super) struct Counters {
    now: Seen,
    first: Option<Seen>,
    /// Values at the end of the launch before.
    ended: FxHashMap<u64, u64>,
}

impl Counters {
    pub fn clear(&mut self) {
        *self = Counters::default();
    }

    pub fn begin_launch(&mut self, launch: &LaunchShape) {
        self.now = Seen {
            grid: launch.grid,
            blocks: launch.blocks(),
            counters: FxHashMap::default(),
            stores: vec![false; launch.sites as usize],
        };
    }

    pub fn stored(&mut self, site: Site) {
        if let Some(seen) = self.now.stores.get_mut(site as usize) {
            *seen = true;
        }
    }

    /// An atomic is about to happen.
    pub fn atomic(&mut self, access: &Access, memory: &GlobalMemory) {
        if matches!(access.kind, AccessKind::Atomic { reduction: true, .. }) || access.space != Space::Global
        {
            return;
        }
        let lane = access.mask.trailing_zeros() as usize & 31;
        let address = access.addresses[lane];
        if let Some(counter) = self.now.counters.get_mut(&address) {
            counter.tickets += u64::from(access.mask.count_ones());
            return;
        }
        if self.now.counters.len() < FOLLOWED
            && let Some(start) = value(memory, address, access.bytes)
        {
            let counter = Counter {
                site: access.site,
                block: access.block,
                thread: access.warp * 32 + lane as u32,
                start,
                tickets: u64::from(access.mask.count_ones()),
                bytes: access.bytes,
            };
            self.now.counters.insert(address, counter);
        }
    }

    pub fn end_launch(&mut self, memory: &GlobalMemory, collector: &mut Collector) {
        if let Some(first) = &self.first
            && first.grid == self.now.grid
        {
            let unreached = first.stores.iter().zip(&self.now.stores).any(|(then, now)| *then && !now);
            for (address, counter) in &self.now.counters {
                let Some(then) = first.counters.get(address) else { continue };
                let one_a_block = counter.tickets == self.now.blocks && then.tickets == self.now.blocks;
                let left_over = counter.start >= counter.tickets
                    && then.start == 0
                    && self.ended.get(address) == Some(&counter.start);
                if unreached && one_a_block && left_over && counter.site == then.site {
                    let place = collector.place(Space::Global, *address, counter.bytes);
                    let side = Side {
                        site: Some(counter.site),
                        block: counter.block,
                        thread: counter.thread,
                        action: Action::Atomic,
                        place: Some(place),
                        volatile: false,
                        scope: None,
                    };
                    let violation =
                        Violation::StaleCounter { start: counter.start, tickets: counter.tickets };
                    collector.other(violation, Severity::Error, side, None, Vec::new());
                }
            }
        }
        self.ended = self
            .now
            .counters
            .iter()
            .filter_map(|(address, c)| Some((*address, value(memory, *address, c.bytes)?)))
            .collect();
        if self.first.is_none() {
            self.first = Some(std::mem::take(&mut self.now));
        }
    }
}

/// An integer of up to eight bytes.
fn value(memory: &GlobalMemory, address: u64, bytes: u32) -> Option<u64> {
    let slice = memory.slice(address, u64::from(bytes.min(8)))?;
    Some(slice.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
}
