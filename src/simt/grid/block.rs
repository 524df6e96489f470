//! A resident block.

use super::barrier::BarrierState;
use crate::simt::env::Env;
use crate::simt::event::WARP;
use crate::simt::lanes::begin;
use crate::simt::memory::GlobalMemory;
use crate::simt::warp::{Frame, Split, Wait, Warp};

/// A block on the device, or a free place for one.
#[derive(Debug)]
pub(super) struct Block {
    /// Linear index in the grid.
    pub index: u64,
    pub warps: Vec<Warp>,
    pub shared: Vec<u8>,
    pub barriers: [BarrierState; 16],
    /// Threads that have not exited.
    pub live: u32,
    /// Warps that can run.
    pub runnable: u32,
    /// Warps that have nothing but parked (and waiting) lanes.
    pub parked: u32,
    /// Memory version at which the last of them was parked.
    pub parked_at: u64,
}

impl Block {
    /// A place for blocks of the launch.
    pub fn new(env: &Env) -> Self {
        let mut warps = Vec::with_capacity(env.warps as usize);
        for index in 0..env.warps {
            let mut warp = Warp { index, ..Warp::default() };
            for lane in 0..WARP {
                let thread = index * WARP as u32 + lane as u32;
                let [x, y, _] = env.block;
                warp.tid[0][lane] = thread % x;
                warp.tid[1][lane] = thread / x % y;
                warp.tid[2][lane] = thread / x / y;
            }
            let function = &env.program.functions[env.kernel.function as usize];
            warp.reserve(Frame::default(), function.rows32, function.rows64, function.preds);
            warp.local.reserve(function.frame_bytes);
            warps.push(warp);
        }
        Block {
            index: 0,
            warps,
            shared: vec![0; env.shared_bytes as usize],
            barriers: Default::default(),
            live: 0,
            runnable: 0,
            parked: 0,
            parked_at: 0,
        }
    }

    /// Starts a block of the grid here. `loads`: whether it is likely to begin with loads as other blocks did.
    pub fn start(&mut self, env: &Env, index: u64, memory: &GlobalMemory, loads: bool) {
        self.index = index;
        self.live = env.threads;
        self.runnable = u32::MAX >> (32 - env.warps);
        self.parked = 0;
        self.barriers = Default::default();
        // Shared memory is not initialised on a GPU either; zero keeps executions the same for the same seed.
        self.shared.fill(0);
        let [gx, gy, _] = env.grid.map(u64::from);
        let ctaid = [(index % gx) as u32, (index / gx % gy) as u32, (index / gx / gy) as u32];
        let function = &env.program.functions[env.kernel.function as usize];
        let frame = Frame { function: env.kernel.function, ..Frame::default() };
        for warp in &mut self.warps {
            let threads = (env.threads - warp.index * WARP as u32).min(WARP as u32);
            let mask = u32::MAX >> (32 - threads);
            if loads {
                begin(&mut warp.last_load, index, memory);
            }
            warp.live = mask;
            warp.ctaid = ctaid;
            warp.block = index;
            warp.stack_end = function.frame_bytes;
            warp.limit = u32::MAX;
            warp.backs = 0;
            warp.others.clear();
            let at = &mut warp.at;
            at.pc = function.entry;
            at.mask = mask;
            at.frame = frame;
            at.stack.clear();
            at.wait = Wait::None;
            at.parked = None;
            at.held = 0;
            at.ran = 0;
            at.spin = Default::default();
        }
    }

    /// The block's number as events have it.
    pub fn number(&self) -> u32 {
        self.index as u32
    }

    /// Every waiting group of lanes.
    pub fn waiting(&self) -> impl Iterator<Item = (&Warp, &Split)> {
        self.warps
            .iter()
            .flat_map(|warp| warp.splits().map(move |split| (warp, split)))
            .filter(|(_, split)| split.wait != Wait::None && split.mask != 0)
    }
}
