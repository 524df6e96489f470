//! Asynchronous copies into shared memory (`cp.async`) that are still under way.
//!
//! Source: PTX, "Data Movement and Conversion Instructions: Asynchronous Copy": the writes become visible to the executing
//! thread when it has waited for the copy's group, and to others as that thread's writes do.
//! Method: the bytes count as unwritten until the wait; at the wait the lane is taken to have written them.
//! May miss: a source that is overwritten while the copy is under way.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::checker::{Block, Checker};
use super::footprint::by_written_line;
use super::record::lanes;
use crate::simt::{Access, AccessKind, Order, Scope, Shape, Site, Space, WARP};

/// One lane's copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Copy {
    pub site: Site,
    pub address: u64,
    pub bytes: u32,
}

/// The copies of a block's threads, by thread.
#[derive(Debug, Default)]
pub(super) struct Copies {
    lanes: FxHashMap<u32, Lane>,
}

#[derive(Debug, Default)]
struct Lane {
    open: Vec<Copy>,
    groups: VecDeque<Vec<Copy>>,
}

impl Copies {
    pub fn clear(&mut self) {
        self.lanes.clear();
    }

    pub fn begin(&mut self, thread: u32, copy: Copy) {
        self.lanes.entry(thread).or_default().open.push(copy);
    }

    pub fn commit(&mut self, thread: u32) {
        // A group may be empty, and counts.
        let lane = self.lanes.entry(thread).or_default();
        let group = std::mem::take(&mut lane.open);
        lane.groups.push_back(group);
    }

    /// What is complete once the thread has waited until `left` groups are under way (`None`: not even an open one).
    pub fn wait(&mut self, thread: u32, left: Option<u32>) -> Vec<Copy> {
        let Some(lane) = self.lanes.get_mut(&thread) else { return Vec::new() };
        let keep = left.unwrap_or(0) as usize;
        let mut done = Vec::new();
        while lane.groups.len() > keep {
            done.extend(lane.groups.pop_front().unwrap_or_default());
        }
        if left.is_none() {
            done.append(&mut lane.open);
        }
        done
    }

    /// Whether any copy under way writes one of these bytes.
    pub fn cover(&self, address: u64, bytes: u32) -> bool {
        let covers = |copy: &Copy| {
            copy.address < address + u64::from(bytes) && address < copy.address + u64::from(copy.bytes)
        };
        self.lanes.values().any(|lane| lane.open.iter().chain(lane.groups.iter().flatten()).any(covers))
    }
}

impl Checker {
    /// Lanes have begun to copy into shared memory: what they stored there cannot be read yet.
    pub(super) fn begin_copies(
        &mut self,
        (site, block, warp): (Site, u32, u32),
        mask: u32,
        addresses: &[u64; WARP],
        bytes: u32,
    ) {
        let access = store((site, block, warp), mask, addresses, bytes);
        let Block { shared, copies, .. } = self.block(block);
        by_written_line(&access, mask, |line, bits, _| shared.line(line).written &= !bits);
        for lane in lanes(mask) {
            copies.begin(warp * 32 + lane, Copy { site, address: addresses[lane as usize], bytes });
        }
    }

    /// A lane has waited for copies: it counts as having written them now.
    pub(super) fn end_copies(&mut self, block: u32, warp: u32, lane: u32, left: Option<u32>) {
        for copy in self.block(block).copies.wait(warp * 32 + lane, left) {
            let addresses = [copy.address; WARP];
            let access = store((copy.site, block, warp), 1 << lane, &addresses, copy.bytes);
            let rec = self.begin(&access);
            self.mark_written(&access, access.mask);
            self.record(&access, &rec, None, access.mask);
        }
    }
}

/// A store by lanes of a warp to shared memory.
fn store(
    (site, block, warp): (Site, u32, u32),
    mask: u32,
    addresses: &[u64; WARP],
    bytes: u32,
) -> Access<'_> {
    Access {
        site,
        block,
        warp,
        mask,
        space: Space::Shared,
        kind: AccessKind::Store,
        order: Order::Weak,
        scope: Scope::Cta,
        bytes,
        element: 4,
        addresses,
        shape: Shape::Scattered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_complete_in_order() {
        let copy = |address| Copy { site: 1, address, bytes: 4 };
        let mut copies = Copies::default();
        for address in [0, 4] {
            copies.begin(7, copy(address));
            copies.commit(7);
        }
        copies.begin(7, copy(8));
        assert_eq!(copies.wait(7, Some(1)), [copy(0)]);
        assert!(!copies.cover(0, 4) && copies.cover(0, 5) && copies.cover(11, 4));
        assert_eq!(copies.wait(7, Some(0)), [copy(4)]);
        assert_eq!(copies.wait(7, None), [copy(8)]);
        assert_eq!(copies.wait(8, None), []);
    }
}
