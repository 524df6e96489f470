//! The embedded device's interface: what is launched, and what comes back.

use serde::{Deserialize, Deserializer, Serialize};

use super::event::Site;
use super::grid::Checkpoints;

/// Everything that decides an execution's interleaving; the same schedule gives the same execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Chooses block order, residency, warp interleaving, the winning lane. Seed 0 is as fair as any other.
    pub seed: u64,
    /// Most blocks resident at once; the device admits more when all resident ones wait.
    pub resident: u32,
}

impl Schedule {
    pub fn seeded(seed: u64) -> Self {
        Schedule { seed, resident: 32 }
    }
}

/// What an execution may use up before it is stopped.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Warp instructions, over the whole launch.
    pub warp_instructions: u64,
    /// Bytes of `printf` output kept.
    pub printf_bytes: usize,
    /// Bytes of local memory and call frames a thread may use.
    pub stack_bytes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { warp_instructions: 4_000_000_000, printf_bytes: 64 << 10, stack_bytes: 64 << 10 }
    }
}

/// A kernel launch.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// The entry's PTX name.
    pub kernel: &'a str,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    /// Arguments' bytes, one a parameter, little-endian, each exactly the parameter's size.
    pub arguments: &'a [Vec<u8>],
    /// Where blocks begin, as [`super::scout`] has left them on the same buffers and arguments.
    pub checkpoints: Option<&'a Checkpoints>,
}

/// What a finished (or stopped) launch did.
#[derive(Debug, Clone, Default)]
pub struct LaunchReport {
    pub warp_instructions: u64,
    pub thread_instructions: u64,
    /// What `printf` wrote, cut at the limit.
    pub printf: String,
    pub printf_truncated: bool,
    /// Why the launch stopped early; `None` when every thread exited.
    pub fault: Option<Fault>,
}

/// Why and where a launch was stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub kind: FaultKind,
    /// The instruction; `None` when the launch never began.
    pub site: Option<Site>,
    /// Linear block index and linear thread index in the block of one thread concerned.
    pub thread: Option<(u32, u32)>,
}

/// A thread, or a group of lanes, that waits for something that never comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    pub site: Site,
    pub block: u32,
    pub warp: u32,
    pub mask: u32,
    /// Which barrier: `Some(id)` of the block, `None` for a warp barrier or a warp-wide instruction.
    pub barrier: Option<u32>,
}

/// The ways in which a launch ends before its threads do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaultKind {
    /// An access outside every allocation (or a block's shared or a thread's local memory).
    OutOfBounds {
        /// `store`, `load`, `atomic`.
        #[serde(deserialize_with = "word")]
        what: Word,
        /// Name of the allocation or variable the address is nearest to; `None` for a wild or null pointer.
        variable: Option<String>,
        /// Byte offset from the variable's start (may be negative); the address itself when `variable` is `None`.
        offset: i64,
        /// The variable's size in bytes, and its element's.
        size: u64,
        element: u32,
        bytes: u32,
        /// `global`, `shared`, `local`, `constant`, `parameter`.
        #[serde(deserialize_with = "word")]
        space: Word,
    },
    /// The address is not a multiple of the access's size.
    Misaligned {
        address: u64,
        bytes: u32,
        variable: Option<String>,
        #[serde(deserialize_with = "word")]
        space: Word,
    },
    /// A store to constant memory, and the like.
    ReadOnly {
        #[serde(deserialize_with = "word")]
        space: Word,
    },
    /// The budget of [`Limits::warp_instructions`] ran out while the program still made progress.
    StepBudget { budget: u64 },
    /// Every resident thread runs and nothing any of them reads can change: an endless loop.
    NoProgress,
    /// Threads wait and none can run.
    Deadlock { waiting: Vec<Waiting> },
    /// `trap`, or `__trap()`.
    Trap,
    /// `assert` failed; the text as the program gave it.
    Assertion { expression: String, line: u32 },
    /// Recursion or local arrays beyond the stack limit.
    StackOverflow { limit: u32 },
    /// The launch itself is impossible: too many threads, too much shared memory, unknown kernel, wrong arguments.
    BadLaunch { reason: String },
    /// Something the device does not execute: the instruction as written.
    Unsupported { instruction: String },
    /// `malloc` in a kernel ran out, `brk`, and other rarities: in words.
    Other { reason: String },
}

/// One of [`WORDS`]. (Under its own name `serde` would have it borrowed from what is read.)
type Word = &'static str;

/// The words that faults are told in.
const WORDS: [Word; 8] = ["store", "load", "atomic", "global", "shared", "local", "constant", "parameter"];

/// Reads one of [`WORDS`].
fn word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    let text = String::deserialize(deserializer)?;
    let known = WORDS.into_iter().find(|word| *word == text);
    known.ok_or_else(|| serde::de::Error::custom(format!("a fault has no word `{text}`")))
}
