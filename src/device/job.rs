//! What a device is asked to run, and what it answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::comparison::Comparison;
use crate::exercise::ElementType;
use crate::model::WatchPlan;
use crate::nvrtc::Compiled;

/// Something that runs built programs.
pub trait Device: Send + Sync {
    /// What rows and transcripts call it: `embedded`, or the card's name.
    fn name(&self) -> String;

    /// What programs for it are compiled for: `compute_75` (PTX) or `sm_90` (CUBIN).
    /// `floor` is the exercise's own choice, the least that its programs need.
    fn architecture(&self, floor: &str) -> String;

    /// Makes a program ready to be launched.
    fn load(&self, compiled: &Compiled) -> Result<Box<dyn LoadedProgram>, DeviceError>;
}

/// A program on a device.
pub trait LoadedProgram: Send + Sync {
    /// Runs one row: `job.runs` launches of one kernel, every buffer reset before each.
    /// What the student's kernel does wrong is in the outcome; an error is the device's own failure.
    fn run(&self, job: &Job) -> Result<JobOutcome, DeviceError>;
}

/// A failure of the device or the grader: not the student's, but for [`DeviceError::TooLarge`].
#[derive(Debug, Clone, thiserror::Error)]
pub enum DeviceError {
    /// The device is not there, or cannot be used.
    #[error("{0}")]
    Unavailable(String),
    /// The program was built, but the device cannot load it.
    #[error("the program could not be loaded: {0}")]
    Load(String),
    /// The program cannot be built for this device, though it compiles: the student's doing, in words.
    #[error("the program cannot be built for this card: {0}")]
    Build(String),
    /// The program needs more memory than the device has: the student's.
    #[error("{0}")]
    TooLarge(String),
    /// Anything else that went wrong on our side.
    #[error("{0}")]
    Failed(String),
}

/// A device buffer and what it holds before every launch (contract rule 10).
#[derive(Debug, Clone)]
pub struct JobBuffer {
    pub name: String,
    pub ty: ElementType,
    /// Shared between jobs, so that a large input exists once.
    pub contents: Arc<Vec<u8>>,
    /// A kernel must leave it as it is; compared with `contents` after each run.
    pub read_only: bool,
    /// What the contents are, in short: equal for buffers that hold the same.
    pub identity: String,
    /// The contents are poison, which no kernel may read.
    pub poisoned: bool,
}

/// A kernel's argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobArgument {
    /// Index into [`Job::buffers`]: its address is passed.
    Buffer(usize),
    /// A scalar's bytes, little-endian.
    Bytes(Vec<u8>),
    /// A structure by value: its bytes, and the buffers whose addresses go into them, as (offset, index).
    Struct { bytes: Vec<u8>, pointers: Vec<(usize, usize)> },
}

impl JobArgument {
    /// The bytes to pass, given where each buffer lies.
    pub fn bytes(&self, address: impl Fn(usize) -> u64) -> Vec<u8> {
        match self {
            JobArgument::Buffer(index) => address(*index).to_le_bytes().to_vec(),
            JobArgument::Bytes(bytes) => bytes.clone(),
            JobArgument::Struct { bytes, pointers } => {
                let mut bytes = bytes.clone();
                for &(offset, index) in pointers {
                    bytes[offset..offset + 8].copy_from_slice(&address(index).to_le_bytes());
                }
                bytes
            }
        }
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        match self {
            JobArgument::Buffer(_) => 8,
            JobArgument::Bytes(bytes) | JobArgument::Struct { bytes, .. } => bytes.len(),
        }
    }
}

/// A buffer that is compared after every run, and what it must hold.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Index into [`Job::buffers`].
    pub buffer: usize,
    pub want: Arc<Vec<u8>>,
}

/// One row of the contract, ready to run.
#[derive(Debug, Clone)]
pub struct Job<'a> {
    /// The kernel's name in the PTX or CUBIN.
    pub kernel: &'a str,
    /// Its name in the source, for messages.
    pub title: &'a str,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    pub buffers: &'a [JobBuffer],
    /// In the order of the parameters.
    pub arguments: &'a [JobArgument],
    pub wanted: &'a [Wanted],
    /// Launches; run `r` uses schedule `first_seed + r` on the embedded device.
    pub runs: u32,
    pub first_seed: u64,
    /// Lets reads return old values where the memory model allows it (embedded device only).
    pub stale: Option<&'a WatchPlan>,
    /// Warp instructions that one launch may take (embedded device only).
    pub budget: u64,
    /// When to give up for good.
    pub deadline: Option<Instant>,
}

/// What one row's launches gave.
#[derive(Debug, Clone, Default)]
pub struct JobOutcome {
    /// Finished launches in order: `runs[r]` is run `r`. Shorter than asked when `stopped`.
    pub runs: Vec<RunOutcome>,
    /// Why the row ended early, in a student's words.
    pub stopped: Option<Stopped>,
    /// Launches that were asked for, when fewer were enough: the first was wrong, and each takes long.
    pub asked: Option<u32>,
    /// What the first run's kernel printed, cut.
    pub printed: String,
    pub printed_cut: bool,
    /// Thread instructions executed over all runs (embedded device only).
    pub thread_instructions: u64,
}

impl JobOutcome {
    /// The student's program could not be launched at all: why.
    pub fn never_begun(message: String) -> JobOutcome {
        let stopped = Stopped { run: 0, message, kind: StopKind::Kernel };
        JobOutcome { stopped: Some(stopped), ..JobOutcome::default() }
    }
}

/// One launch that finished.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// One for each of [`Job::wanted`], in order.
    pub comparisons: Vec<Comparison>,
    /// Names of read-only buffers that the kernel changed, with the first changed element.
    pub changed: BTreeMap<String, u64>,
}

impl RunOutcome {
    /// Something that is compared differs, or an input was changed.
    pub fn is_wrong(&self) -> bool {
        !self.changed.is_empty() || self.comparisons.iter().any(|c| c.mismatches > 0)
    }
}

/// Why a row ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The run that could not be finished.
    pub run: u32,
    /// In a student's words, with their line where it is known.
    pub message: String,
    pub kind: StopKind,
}

/// Whose doing the stop was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopKind {
    /// The kernel did something that no device finishes: a fault, an endless loop.
    Kernel,
    /// The kernel needs something that this device lacks; no fault of the student's.
    Unsupported,
    /// The time limit ran out.
    Deadline,
}
