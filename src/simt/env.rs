//! What stays the same while a launch runs.

use super::code::Instr;
use super::grid::Checkpoints;
use super::program::{Image, Kernel, Program};

/// Flag of [`Env::flags`]: the observer watches the site.
pub(super) const WATCHED: u8 = 1;
/// Flag of [`Env::flags`]: lanes may drift apart here.
pub(super) const SPLITS: u8 = 2;

pub(super) struct Env<'a> {
    pub image: &'a Image,
    pub program: &'a Program,
    pub code: &'a [Instr],
    pub kernel: &'a Kernel,
    /// The kernel's parameters, laid out.
    pub params: Vec<u8>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Static and dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    pub dynamic_shared: u32,
    /// Threads in a block, and warps.
    pub threads: u32,
    pub warps: u32,
    pub stack_bytes: u32,
    /// Address of the barrier of `grid.sync()`; 0 where no kernel asks for it.
    pub grid_workspace: u64,
    /// Per site; empty when nobody observes.
    pub flags: Vec<u8>,
    /// Where blocks begin that need not begin at the beginning.
    pub checkpoints: Option<&'a Checkpoints>,
}

impl Env<'_> {
    #[inline(always)]
    pub fn flagged(&self, pc: u32) -> bool {
        self.flags.get(pc as usize).is_some_and(|&f| f != 0)
    }
}
