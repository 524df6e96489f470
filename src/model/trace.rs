//! What each block did to order its accesses, kept for explanations until the launch ends.
//!
//! Only ordering events are kept (fences, atomics, strong and volatile accesses, barriers), the first and the
//! latest of each block. Rules read from them whether a fence stood between a store and its announcement.

use rustc_hash::FxHashMap;

use super::finding::{Evidence, Place, Step, TraceEvent};
use super::record::Rec;
use crate::simt::{Site, Space};

/// Events kept a block: this many from its start, and as many of the latest.
const KEPT: usize = 48;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry {
    pub step: Step,
    pub site: Site,
    pub warp: u16,
    pub mask: u32,
    pub phase: u32,
    /// The warp's tick before the event: an access with at most this tick came before it.
    pub tick: u32,
    pub space: Space,
    /// Address of the first lane; 0 for fences and barriers.
    pub address: u64,
    pub bytes: u32,
    /// Order in the launch, given by [`Traces::add`].
    pub number: u64,
}

impl Entry {
    fn writes(&self) -> bool {
        matches!(self.step, Step::Atomic { .. } | Step::StrongStore { .. } | Step::VolatileStore)
    }

    fn reads(&self) -> bool {
        matches!(
            self.step,
            Step::Atomic { reduction: false, .. } | Step::StrongLoad { .. } | Step::VolatileLoad
        )
    }

    fn meets(&self, other: &Entry) -> bool {
        self.space == other.space
            && self.address < other.address + u64::from(other.bytes)
            && other.address < self.address + u64::from(self.bytes)
    }
}

/// Every block's ordering events of one launch.
#[derive(Debug, Default)]
pub(super) struct Traces {
    blocks: FxHashMap<u32, Vec<Entry>>,
    added: u64,
}

impl Traces {
    pub fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Whether the block has done anything that orders; barriers alone are not worth keeping.
    pub fn has(&self, block: u32) -> bool {
        self.blocks.contains_key(&block)
    }

    pub fn add(&mut self, block: u32, mut entry: Entry) {
        self.added += 1;
        entry.number = self.added;
        let log = self.blocks.entry(block).or_default();
        // A spinning warp repeats itself: the first and the last turn are enough.
        if let [.., a, b] = &mut log[..]
            && (a.site, a.warp, a.mask, a.address, a.phase)
                == (entry.site, entry.warp, entry.mask, entry.address, entry.phase)
            && (b.site, b.warp, b.mask, b.address) == (entry.site, entry.warp, entry.mask, entry.address)
        {
            *b = entry;
            return;
        }
        if log.len() >= 2 * KEPT {
            log.remove(KEPT);
        }
        log.push(entry);
    }

    /// The stories of the two sides of a race.
    pub fn evidence(
        &self,
        (earlier, their_lane): (&Rec, u32),
        (now, lane): (&Rec, u32),
        place: &dyn Fn(Space, u64, u32) -> Place,
    ) -> Evidence {
        let none = Vec::new();
        let theirs = self.blocks.get(&earlier.block).unwrap_or(&none);
        let mine = self.blocks.get(&now.block).unwrap_or(&none);
        let own_later =
            |e: &&Entry| e.warp == earlier.warp && e.mask >> their_lane & 1 != 0 && e.tick >= earlier.tick;
        let itself = |e: &&Entry| e.tick == earlier.tick && e.site == earlier.site && e.warp == earlier.warp;
        let own_before = |e: &&Entry| e.warp == now.warp && e.mask >> lane & 1 != 0 && e.tick < now.tick;
        let mut after: Vec<&Entry> = theirs
            .iter()
            .filter(|e| (own_later(e) && !itself(e)) || e.phase > earlier.phase)
            .filter(|e| earlier.block != now.block || e.phase <= now.phase)
            .collect();
        let mut before: Vec<&Entry> = mine
            .iter()
            .filter(|e| own_before(e) || e.phase < now.phase)
            .filter(|e| earlier.block != now.block || e.phase >= earlier.phase)
            .collect();
        // The hand-off: the first announcement that the reader's side observed, by its latest observation.
        let mut found = None;
        'announcements: for announcement in after.iter().filter(|e| e.writes()) {
            for observation in before.iter().rev().filter(|e| e.reads()) {
                if announcement.meets(observation) && announcement.number < observation.number {
                    found = Some((**announcement, **observation));
                    break 'announcements;
                }
            }
        }
        let mut handoff = None;
        if let Some((announcement, observation)) = found {
            // Only those who take part in it can order anything for it.
            let same = |e: &Entry, who: &Entry| e.warp == who.warp && e.mask & who.mask != 0;
            let barrier = |e: &Entry| e.step == Step::BlockBarrier;
            after.retain(|e| own_later(e) || same(e, &announcement) || barrier(e));
            before.retain(|e| own_before(e) || same(e, &observation) || barrier(e));
            let position = |events: &[&Entry], number| events.iter().position(|e| e.number == number);
            handoff = position(&after, announcement.number).zip(position(&before, observation.number));
        }
        let told = |block: u32| {
            move |e: &&Entry| TraceEvent {
                step: e.step,
                site: e.site,
                block,
                thread: u32::from(e.warp) * 32 + e.mask.trailing_zeros().min(31),
                place: (e.bytes > 0).then(|| place(e.space, e.address, e.bytes)),
            }
        };
        Evidence {
            earlier: after.iter().map(told(earlier.block)).collect(),
            later: before.iter().map(told(now.block)).collect(),
            handoff,
            ..Evidence::default()
        }
    }
}
