//! One launch: buffers in memory, arguments as bytes, the device underneath.

use std::ops::Range;
use std::sync::Arc;

use crate::device::JobArgument;
use crate::simt::{
    Checkpoints, GlobalMemory, Image, Launch, LaunchReport, Limits, Mark, Observer, Part, Program, Schedule,
};

/// Bytes of `printf` output that one launch keeps.
const PRINTF_BYTES: usize = 16 << 10;

/// A memory with a program's variables and some buffers in it.
#[derive(Debug)]
pub struct Loaded {
    pub memory: GlobalMemory,
    pub image: Image,
    /// Device addresses of the buffers, in order.
    pub addresses: Vec<u64>,
    /// Where allocations end before any kernel has made its own.
    mark: Mark,
}

/// A kernel launch on [`Loaded`].
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// PTX name.
    pub kernel: &'a str,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    pub arguments: &'a [JobArgument],
    /// Schedule.
    pub seed: u64,
    /// Warp instructions.
    pub budget: u64,
    pub checkpoints: Option<&'a Checkpoints>,
}

impl<'a> Call<'a> {
    fn launch(&self, arguments: &'a [Vec<u8>]) -> Launch<'a> {
        Launch {
            kernel: self.kernel,
            grid: self.grid,
            block: self.block,
            dynamic_shared: self.dynamic_shared,
            arguments,
            checkpoints: self.checkpoints,
        }
    }
}

impl Loaded {
    /// Allocates buffers: name, size in bytes, element size.
    pub fn new<'a>(program: &Arc<Program>, buffers: impl Iterator<Item = (&'a str, u64, u32)>) -> Loaded {
        let mut memory = GlobalMemory::new();
        let addresses = buffers.map(|(name, bytes, element)| memory.allocate(name, bytes, element)).collect();
        let image = program.instantiate(&mut memory);
        let mark = memory.mark();
        Loaded { memory, image, addresses, mark }
    }

    /// Gives module variables their initial values again, and frees what kernels allocated.
    pub fn reset_module(&mut self) {
        self.memory.release_to(self.mark);
        self.image.reset(&mut self.memory);
    }

    /// Copies `contents` to the start of buffer `index`.
    pub fn write(&mut self, index: usize, contents: &[u8]) {
        if let Some(target) = self.memory.slice_mut(self.addresses[index], contents.len() as u64) {
            target.copy_from_slice(contents);
        }
    }

    /// Makes `contents` what buffer `index` begins with: shared until something writes there when they fill it, else
    /// copied.
    pub fn fill(&mut self, index: usize, contents: &Arc<Vec<u8>>) {
        if !self.memory.share(self.addresses[index], contents) {
            self.write(index, contents);
        }
    }

    /// Whether buffer `index` still is what [`Self::fill`] shared.
    pub fn is_untouched(&self, index: usize) -> bool {
        self.memory.is_shared(self.addresses[index])
    }

    /// The first `bytes` bytes of buffer `index`.
    pub fn read(&self, index: usize, bytes: usize) -> &[u8] {
        self.memory.slice(self.addresses[index], bytes as u64).unwrap_or(&[])
    }

    /// Launches under `observer`.
    pub fn launch<O: Observer>(&mut self, call: &Call, observer: &mut O) -> LaunchReport {
        let arguments = self.arguments(call);
        let launch = call.launch(&arguments);
        let limits =
            Limits { warp_instructions: call.budget, printf_bytes: PRINTF_BYTES, ..Limits::default() };
        let schedule = Schedule::seeded(call.seed);
        crate::simt::launch(&self.image, &mut self.memory, &launch, &schedule, &limits, observer)
    }

    /// Goes ahead with some of the launch's blocks: see [`crate::simt::scout`].
    pub fn scout<O: Observer>(
        &mut self,
        call: &Call,
        blocks: Range<u64>,
        bytes: usize,
        observer: &mut O,
    ) -> Option<Part> {
        let arguments = self.arguments(call);
        let launch = call.launch(&arguments);
        let limits = Limits { warp_instructions: call.budget, ..Limits::default() };
        crate::simt::scout(&self.image, &mut self.memory, &launch, blocks, (&limits, bytes), observer)
    }

    fn arguments(&self, call: &Call) -> Vec<Vec<u8>> {
        call.arguments.iter().map(|argument| argument.bytes(|index| self.addresses[index])).collect()
    }
}
