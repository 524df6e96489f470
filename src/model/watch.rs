//! What a finished verdict pass says about which accesses the graded rows need to watch.

use std::collections::BTreeSet;

use crate::simt::Site;

/// The sites to watch, and those to drift apart at, in later runs with the adversary on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
