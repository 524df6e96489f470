//! The running launch: which blocks are resident, and whose turn it is.

use super::block::Block;
use super::permute::Permutation;
use super::place::Places;
use super::random::Random;
use crate::simt::env::Env;
use crate::simt::event::{Loaded, Observer, WARP};
use crate::simt::launch::{Fault, FaultKind, LaunchReport, Limits, Schedule};
use crate::simt::memory::GlobalMemory;

/// Bytes of registers, shared and local memory that resident blocks may take altogether when all of them wait.
const RESIDENT_BYTES: u64 = 1 << 30;
/// The same, for blocks that could as well come one after the other.
const USUAL_BYTES: u64 = 128 << 20;
/// Rounds in which parked lanes try again before an observed launch is given up: an observer that hands out old
/// values may hand out newer ones later.
const OBSERVED_RETRIES: u32 = 64;

/// What kernels have taken with `malloc` in this launch.
#[derive(Debug, Default)]
pub(super) struct Heap {
    /// Bytes taken and not given back.
    pub bytes: u64,
    /// Times that `malloc` gave something.
    pub given: u32,
}

pub(super) struct Device<'a, O> {
    pub env: Env<'a>,
    pub memory: &'a mut GlobalMemory,
    pub observer: &'a mut O,
    pub limits: Limits,
    pub random: Random,
    pub report: LaunchReport,
    /// Block barriers that have opened.
    pub opened: u64,
    /// Counts changes of memory; see [`crate::simt::progress`].
    pub version: u64,
    pub blocks: Vec<Block>,
    /// Places without a block.
    free: Vec<usize>,
    /// Places whose block can run.
    active: Vec<usize>,
    order: Permutation,
    next: u64,
    count: u64,
    resident: u64,
    /// Most blocks resident at once, for now.
    pub most: u64,
    block_bytes: u64,
    pub heap: Heap,
    /// How long a block tends to keep the processor: instructions of a warp's turn, turns of a block.
    pub quantum: u32,
    pub turns: u32,
    /// Within a block's turn, warps follow each other by their numbers, from any one on: a processor that meets the same
    /// sequence again and again predicts it. Otherwise any warp may be next.
    in_turn: bool,
    pub scratch: Box<Loaded>,
    pub spare: Option<Box<Places>>,
    retries: u32,
    /// The format (by address) printed last after output was full, and its number of arguments.
    pub unprinted: Option<(u64, u64)>,
}

impl<'a, O: Observer> Device<'a, O> {
    pub fn new(
        env: Env<'a>,
        memory: &'a mut GlobalMemory,
        observer: &'a mut O,
        limits: Limits,
        schedule: Schedule,
    ) -> Self {
        let Schedule { seed, resident } = schedule;
        let mut random = Random::new(seed);
        let count = env.grid.iter().map(|&n| u64::from(n)).product();
        // Some schedules let blocks run nearly to their end, some weave them finely.
        let (quantum, turns, in_turn) = match random.below(4) {
            0 => (1 << 20, 1 << 16, true),
            1 => (4096, 256, true),
            2 => (1024, 64, true),
            _ => (256, 16, false),
        };
        let function = &env.program.functions[env.kernel.function as usize];
        let thread = 4 * u64::from(function.rows32)
            + 8 * u64::from(function.rows64)
            + u64::from(function.frame_bytes)
            + 64;
        let block_bytes = thread * WARP as u64 * u64::from(env.warps) + u64::from(env.shared_bytes);
        Device {
            order: Permutation::new(count, random.next()),
            env,
            memory,
            observer,
            limits,
            random,
            report: LaunchReport::default(),
            opened: 0,
            version: 1,
            blocks: Vec::new(),
            free: Vec::new(),
            active: Vec::new(),
            next: 0,
            count,
            resident: 0,
            most: u64::from(resident).min(USUAL_BYTES / block_bytes.max(1)).max(1),
            heap: Heap::default(),
            block_bytes,
            quantum,
            turns,
            in_turn,
            spare: None,
            scratch: Box::new(Loaded { bytes: [[0; 32]; WARP] }),
            retries: 0,
            unprinted: None,
        }
    }

    /// Runs the launch to its end.
    pub fn run(&mut self) {
        if let Err(fault) = self.schedule() {
            self.report.fault = Some(*fault);
        }
    }

    fn schedule(&mut self) -> Result<(), Box<Fault>> {
        loop {
            self.admit();
            if self.active.is_empty() {
                if self.resident == 0 {
                    return Ok(());
                }
                if self.unpark(false) {
                    continue;
                }
                if self.next < self.count && self.admit_more() {
                    continue;
                }
                if O::ENABLED && self.retries < OBSERVED_RETRIES && self.unpark(true) {
                    self.retries += 1;
                    continue;
                }
                return Err(Box::new(self.stuck()));
            }
            let pick = self.random.below(self.active.len() as u32) as usize;
            let place = self.active[pick];
            self.turn(place)?;
            let block = &self.blocks[place];
            if block.live == 0 {
                self.active.swap_remove(pick);
                self.retire(place);
            } else if block.runnable == 0 {
                self.active.swap_remove(pick);
            }
            // Parked blocks look again now and then while others work.
            if self.active.is_empty() || self.random.one_in(16) {
                self.unpark(false);
            }
        }
    }

    /// Starts blocks while there is room.
    fn admit(&mut self) {
        while self.resident < self.most && self.next < self.count {
            let index = self.order.at(self.next);
            self.next += 1;
            self.resident += 1;
            let place = self.free.pop().unwrap_or_else(|| {
                self.blocks.push(Block::new(&self.env));
                self.blocks.len() - 1
            });
            let checkpoints = self.env.checkpoints;
            self.blocks[place].start(&self.env, index, self.memory, checkpoints.is_none());
            if let Some(checkpoints) = checkpoints {
                checkpoints.resume(&self.env, &mut self.blocks[place], &mut self.report);
            }
            self.active.push(place);
            if O::ENABLED {
                self.observer.block_started(index as u32);
            }
        }
    }

    /// All resident blocks wait: makes room for more, as far as memory goes.
    fn admit_more(&mut self) -> bool {
        let most = (RESIDENT_BYTES / self.block_bytes.max(1)).max(1);
        if self.most >= most {
            return false;
        }
        self.most = (self.most * 2).min(most);
        true
    }

    fn retire(&mut self, place: usize) {
        self.resident -= 1;
        self.free.push(place);
        self.retries = 0;
        if O::ENABLED {
            self.observer.block_finished(self.blocks[place].number());
        }
    }

    /// Lets parked warps look again if memory has changed since (or `anyway`); whether any does.
    fn unpark(&mut self, anyway: bool) -> bool {
        if anyway {
            self.version += 1;
        }
        let mut any = false;
        for place in 0..self.blocks.len() {
            let block = &mut self.blocks[place];
            if block.live > 0 && block.parked != 0 && block.parked_at != self.version {
                let idle = block.runnable == 0;
                block.runnable |= block.parked;
                block.parked = 0;
                if idle {
                    self.active.push(place);
                }
                any = true;
            }
        }
        any
    }

    /// A block's turn: some of its warps run, one after the other.
    fn turn(&mut self, place: usize) -> Result<(), Box<Fault>> {
        let mut turns = 1 + self.random.below(self.turns);
        let mut next = None;
        while turns > 0 {
            let runnable = self.blocks[place].runnable;
            if runnable == 0 {
                break;
            }
            let warp = match next {
                Some(after) if self.in_turn => (runnable.rotate_right(after).trailing_zeros() + after) & 31,
                _ => self.random.bit(runnable),
            };
            next = Some((warp + 1) & 31);
            if self.step(place, warp as usize)? {
                break;
            }
            turns -= 1;
        }
        Ok(())
    }

    /// A fault of the running lanes of a warp.
    pub fn fault(&self, place: usize, warp: usize, lane: usize, kind: FaultKind) -> Box<Fault> {
        let block = &self.blocks[place];
        Box::new(Fault {
            kind,
            site: Some(block.warps[warp].site()),
            thread: Some((block.number(), (warp * WARP + lane) as u32)),
        })
    }
}
