//! What a finished verdict pass says about which accesses the graded rows need to watch.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::collect::Collector;
use super::record::lanes;
use crate::simt::{Access, AccessKind, Order, Shape, Site, Space};

/// The sites to watch, and those to drift apart at, in later runs with the adversary on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchPlan {
    /// Every access to a raced allocation or to raced shared memory, and every access that can order.
    pub watch: BTreeSet<Site>,
    /// Racing sites inside one block.
    pub splits: BTreeSet<Site>,
}

impl WatchPlan {
    /// No race was seen: the plain device gives the same rows.
    pub fn is_empty(&self) -> bool {
        self.watch.is_empty()
    }
}

const SHARED: usize = usize::MAX;

/// Which memory each site has touched, over all launches.
#[derive(Debug, Default)]
pub(super) struct SiteUses {
    sites: Vec<Use>,
}

#[derive(Debug, Default, Clone)]
struct Use {
    places: SmallVec<[usize; 2]>,
    orders: bool,
}

impl SiteUses {
    pub fn begin_launch(&mut self, sites: u32) {
        if self.sites.len() < sites as usize {
            self.sites.resize(sites as usize, Use::default());
        }
    }

    pub fn note(&mut self, access: &Access) {
        let site = access.site as usize;
        if site >= self.sites.len() {
            self.sites.resize(site + 1, Use::default());
        }
        let used = &mut self.sites[site];
        used.orders |= access.order != Order::Weak || matches!(access.kind, AccessKind::Atomic { .. });
        let mut touch = |place| {
            if !used.places.contains(&place) {
                used.places.push(place);
            }
        };
        let address = |lane: u32| access.addresses[lane as usize & 31];
        match (access.space, access.shape) {
            (Space::Shared, _) => touch(SHARED),
            (Space::Global, Shape::Scattered) => {
                lanes(access.mask).for_each(|lane| touch(Collector::allocation(address(lane))));
            }
            (Space::Global, _) => touch(Collector::allocation(address(access.mask.trailing_zeros()))),
        }
    }

    /// Sites that touch these allocations (or shared memory), or can order.
    pub fn touching(&self, raced: &FxHashSet<usize>, shared: bool) -> BTreeSet<Site> {
        let touches = |u: &Use| {
            u.orders || u.places.iter().any(|p| if *p == SHARED { shared } else { raced.contains(p) })
        };
        self.sites.iter().zip(0..).filter(|(u, _)| touches(u)).map(|(_, site)| site).collect()
    }
}
