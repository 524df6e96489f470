//! Telling an endless loop from a long computation.
//!
//! A group of lanes whose registers and place are exactly what they were some turns of its loop ago, while no
//! memory changed in between, can only go on in the same way until memory changes. Such lanes are parked until
//! it does. When every thread is parked or waits, and no block is left to start, nothing will ever happen again.
//! Old states are found by Brent's method (1980): one state is kept, replaced after 1, 2, 4, 8, … looks.

use super::code::Function;
use super::rows::{Row32, Row64};
use super::warp::Warp;

/// What a split's loop looked like some time ago.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    pc: u32,
    mask: u32,
    depth: usize,
    rows32: Vec<Row32>,
    rows64: Vec<Row64>,
    preds: Vec<u32>,
}

/// A split's record of its own spinning.
#[derive(Debug, Clone, Default)]
pub(super) struct Spin {
    /// Stores and changing atomics by these lanes since the device last collected them.
    pub effects: u64,
    /// Strong loads and atomics since these lanes last gave way to others of their warp.
    pub polls: u32,
    looks: u32,
    version: u64,
    kept: Option<Box<State>>,
    /// Just back from being parked at this version: one turn of the loop decides.
    retry: Option<u64>,
}

impl Spin {
    /// The lanes go on after memory changed.
    pub fn resume(&mut self, version: u64) {
        self.retry = Some(version);
    }
}

/// Looks at the running split, at the start of a loop's turn. The version to park at, when it spins.
pub(super) fn look(warp: &mut Warp, function: &Function, version: u64) -> Option<u64> {
    warp.backs = 0;
    if let Some(resumed) = warp.at.spin.retry.take() {
        if unchanged(warp) {
            return Some(resumed);
        }
        warp.at.spin.kept = None;
    }
    let spin = &mut warp.at.spin;
    if spin.version != version {
        spin.version = version;
        spin.looks = 0;
        spin.kept = None;
    }
    spin.looks += 1;
    if warp.at.spin.kept.is_some() && unchanged(warp) {
        return Some(version);
    }
    if warp.at.spin.looks.is_power_of_two() {
        let state = state(warp, function);
        warp.at.spin.kept = Some(Box::new(state));
    }
    None
}

fn state(warp: &Warp, function: &Function) -> State {
    let frame = warp.at.frame;
    let cut = |base: u32, n: u32| base as usize..(base + n) as usize;
    State {
        pc: warp.at.pc,
        mask: warp.at.mask,
        depth: warp.at.stack.len(),
        rows32: warp.rows32[cut(frame.rows32, function.rows32)].to_vec(),
        rows64: warp.rows64[cut(frame.rows64, function.rows64)].to_vec(),
        preds: warp.preds[cut(frame.preds, function.preds)].to_vec(),
    }
}

/// Whether the running split is in its kept state again, in the lanes that it has.
fn unchanged(warp: &Warp) -> bool {
    let Some(kept) = &warp.at.spin.kept else { return false };
    let (at, mask) = (&warp.at, warp.at.mask);
    if kept.pc != at.pc || kept.mask != mask || kept.depth != at.stack.len() {
        return false;
    }
    fn same<T: PartialEq>(mask: u32, old: &[T; 32], new: &[T; 32]) -> bool {
        super::rows::lanes(mask).all(|lane| old[lane] == new[lane])
    }
    let rows64 = &warp.rows64[at.frame.rows64 as usize..];
    let rows32 = &warp.rows32[at.frame.rows32 as usize..];
    let preds = &warp.preds[at.frame.preds as usize..];
    kept.rows64.iter().zip(rows64).all(|(old, new)| same(mask, old, new))
        && kept.rows32.iter().zip(rows32).all(|(old, new)| same(mask, old, new))
        && kept.preds.iter().zip(preds).all(|(old, new)| (old ^ new) & mask == 0)
}
