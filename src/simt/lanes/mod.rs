//! The fast loop: everything that one group of lanes can do by itself.

mod coalesced;
mod compare;
mod element;
mod map;
mod plain;
mod prefetch;
mod run;
mod special;

pub(super) use coalesced::words_of;
pub(super) use element::{load_element, register_bits, store_element};
pub(super) use plain::{LaneFault, addresses, read_lane, write_lane};
pub(super) use prefetch::{LastLoad, Strides, begin};
pub(super) use run::{Stop, run};
