//! Special registers.

use crate::simt::code::Special;
use crate::simt::env::Env;
use crate::simt::event::WARP;
use crate::simt::rows::Row64;
use crate::simt::warp::Warp;

/// Multiprocessors that the device says it has.
const MULTIPROCESSORS: u64 = 16;

/// A special register of every lane. `clock` is the number of instructions that the warp has executed.
pub(super) fn special(env: &Env, warp: &Warp, special: Special, clock: u64, offset: i64) -> Row64 {
    let axis = |values: &[u32; 3], axis: u8| u64::from(values[usize::from(axis)]);
    let per_lane = |f: fn(u32) -> u32| {
        let mut row = [0; WARP];
        for (lane, value) in row.iter_mut().enumerate() {
            *value = u64::from(f(lane as u32));
        }
        row
    };
    let uniform = match special {
        Special::Tid(axis) => return warp.tid[usize::from(axis)].map(u64::from),
        Special::LaneId => return per_lane(|lane| lane),
        Special::LaneMaskEq => return per_lane(|lane| 1 << lane),
        Special::LaneMaskLe => return per_lane(|lane| u32::MAX >> (31 - lane)),
        Special::LaneMaskLt => return per_lane(|lane| (1 << lane) - 1),
        Special::LaneMaskGe => return per_lane(|lane| u32::MAX << lane),
        Special::LaneMaskGt => return per_lane(|lane| !(u32::MAX >> (31 - lane))),
        Special::Ntid(a) => axis(&env.block, a),
        Special::Ctaid(a) => axis(&warp.ctaid, a),
        Special::Nctaid(a) => axis(&env.grid, a),
        Special::WarpId => u64::from(warp.index),
        Special::NWarpId => 64,
        // One instruction is one cycle, and one nanosecond.
        Special::Clock | Special::GlobalTimerLo => clock & u64::from(u32::MAX),
        Special::ClockHi | Special::GlobalTimerHi => clock >> 32,
        Special::Clock64 | Special::GlobalTimer => clock,
        Special::SmId => warp.block % MULTIPROCESSORS,
        Special::NSmId => MULTIPROCESSORS,
        Special::GridId | Special::One => 1,
        Special::DynamicSharedSize => u64::from(env.dynamic_shared),
        Special::TotalSharedSize => u64::from(env.shared_bytes),
        Special::DynamicShared => u64::from(env.kernel.dynamic_start).wrapping_add_signed(offset),
        Special::GridWorkspaceLo => env.grid_workspace & u64::from(u32::MAX),
        Special::GridWorkspaceHi => env.grid_workspace >> 32,
        Special::Zero => 0,
    };
    [uniform; WARP]
}
