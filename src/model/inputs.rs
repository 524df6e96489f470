//! Allocations that a launch is expected only to read, so that its weak reads of them need not be remembered.
//!
//! Reads conflict with writes alone (PTX 8.7.1). The embedder says which allocations it takes to be inputs; if one is
//! written after all, in a launch that has read it, the run is not judged: it has to be repeated without the expectation.

use super::collect::Collector;
use super::footprint::window_base;
use super::record::lanes;
use crate::simt::{Access, Shape, Space};

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing is expected, or it has been written.
    #[default]
    Open,
    Expected,
    /// Expected, and read in this launch without a record.
    Read,
}

/// What is expected, by allocation.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    states: Vec<State>,
    broken: bool,
}

impl Inputs {
    /// The allocation at `base` is an input.
    pub fn expect(&mut self, base: u64) {
        let index = Collector::allocation(base);
        if index >= self.states.len() {
            self.states.resize(index + 1, State::Open);
        }
        self.states[index] = State::Expected;
    }

    /// A launch's end orders all its reads before whatever follows.
    pub fn begin_launch(&mut self) {
        for state in &mut self.states {
            if *state == State::Read {
                *state = State::Expected;
            }
        }
    }

    /// Whether a weak read needs no record.
    pub fn skips(&mut self, access: &Access) -> bool {
        if access.space != Space::Global || self.states.is_empty() {
            return false;
        }
        let first = access.addresses[access.mask.trailing_zeros() as usize & 31];
        let Some(state) = self.states.get_mut(Collector::allocation(first)) else { return false };
        if *state == State::Open {
            return false;
        }
        let base = window_base(Space::Global, first);
        let within = |lane: u32| window_base(Space::Global, access.addresses[lane as usize]) == base;
        if access.shape == Shape::Scattered && !lanes(access.mask).all(within) {
            return false;
        }
        *state = State::Read;
        true
    }

    /// Something at this global address is written.
    pub fn written(&mut self, address: u64) {
        if let Some(state) = self.states.get_mut(Collector::allocation(address)) {
            self.broken |= *state == State::Read;
            *state = State::Open;
        }
    }

    pub fn is_broken(&self) -> bool {
        self.broken
    }
}
