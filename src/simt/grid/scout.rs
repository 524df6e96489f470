//! Goes ahead with each block alone, up to where it first meets others, and keeps how it stood at the last barrier before.
//!
//! What a block does until then is the same in every launch on the same inputs: it has read nothing that another block can
//! write, and if its own threads do not race, no order among them shows (an execution of a program whose only
//! synchronisation is a barrier is determined as soon as one execution of it has no race: each phase between two barriers
//! begins in one state and ends in one). Any schedule of the launch may let all blocks come this far first, so that what
//! follows is an execution that the launch without checkpoints has as well.
//!
//! Whoever observes says when a block meets others: see [`Observer::ends_scouting`].

use std::ops::Range;

use super::block::Block;
use super::checkpoint::{Part, keep, passed};
use super::device::Device;
use super::start::environment;
use crate::simt::code::{Op, Special};
use crate::simt::event::Observer;
use crate::simt::launch::{Launch, Limits, Schedule};
use crate::simt::memory::GlobalMemory;
use crate::simt::program::{Image, Kernel, Program};

/// Blocks, from the first on, that may meet others before any barrier until the rest is not expected to do better.
const HOPELESS: u32 = 4;
/// Most bytes of local memory a thread may have.
const MOST_LOCAL: u32 = 256;
/// Longest turn of a warp, in instructions: it ends at a barrier in any case.
const TURN: u32 = 1 << 20;

/// Scouts some of a launch's blocks, within `limits` altogether, and keeps at most `bytes`. `None` where blocks cannot be
/// resumed: a fault, a finding of the observer's, too much to keep, a kernel that can tell what time it is.
pub fn scout<O: Observer>(
    image: &Image,
    memory: &mut GlobalMemory,
    launch: &Launch,
    blocks: Range<u64>,
    (limits, bytes): (&Limits, usize),
    observer: &mut O,
) -> Option<Part> {
    let env = environment(image, memory, launch, limits, observer).ok()?;
    let frame = env.program.functions[env.kernel.function as usize].frame_bytes;
    if frame > MOST_LOCAL || can_tell_time(env.program, env.kernel) {
        return None;
    }
    let mut device = Device::new(env, memory, observer, *limits, Schedule { seed: 0, resident: 1 });
    device.quantum = TURN;
    device.blocks.push(Block::new(&device.env));
    let mut part = Part::default();
    let mut state = Vec::new();
    // Barriers that the last block passed: the next one's state is of no use before, most likely.
    let mut usual = 1;
    let (mut hopeless, mut any) = (0, false);
    for index in blocks {
        let mut barriers = device.ahead(index, usual, &mut state)?;
        if barriers < usual {
            usual = barriers.max(1);
            barriers = device.ahead(index, usual, &mut state)?;
        }
        part.push(&state);
        any |= !state.is_empty();
        usual = barriers.max(1);
        hopeless += u32::from(!any);
        if hopeless == HOPELESS {
            break;
        }
        if part.bytes() > bytes {
            return None;
        }
    }
    Some(part)
}

impl<O: Observer> Device<'_, O> {
    /// Runs a block until it meets others or waits, and keeps in `state` how it stood at its last barrier, if that is at
    /// least the barrier number `from` (counted from 1). How many barriers it passed.
    fn ahead(&mut self, index: u64, from: u32, state: &mut Vec<u32>) -> Option<u32> {
        state.clear();
        let before = [self.report.warp_instructions, self.report.thread_instructions];
        self.blocks[0].start(&self.env, index, self.memory, true);
        self.observer.block_started(index as u32);
        let mut barriers = 0;
        while self.blocks[0].runnable != 0 {
            let opened = self.opened;
            let warp = self.blocks[0].runnable.trailing_zeros();
            self.step(0, warp as usize).ok()?;
            if self.observer.ends_scouting() {
                break;
            }
            if self.opened != opened
                && let Some(site) = passed(&self.env, &self.blocks[0])
            {
                barriers += 1;
                if barriers >= from {
                    let now = [self.report.warp_instructions, self.report.thread_instructions];
                    let spent = [now[0] - before[0], now[1] - before[1]];
                    keep(&self.env, &self.blocks[0], site, spent, state);
                }
            }
        }
        self.observer.block_finished(index as u32);
        (!self.observer.finds_fault()).then_some(barriers)
    }
}

/// Whether a kernel can reach an instruction whose result depends on what has run when.
fn can_tell_time(program: &Program, kernel: &Kernel) -> bool {
    let tells = |op: Op| match op {
        Op::Special32(s) | Op::Special64(s) => matches!(
            s,
            Special::Clock
                | Special::ClockHi
                | Special::Clock64
                | Special::GlobalTimer
                | Special::GlobalTimerLo
                | Special::GlobalTimerHi
        ),
        // Which lanes run together is nobody's promise.
        Op::Activemask => true,
        _ => false,
    };
    let reached = kernel.reached.iter().filter_map(|&f| program.functions.get(f as usize));
    reached.flat_map(|f| f.entry..f.end).any(|site| tells(program.code[site as usize].op))
}
