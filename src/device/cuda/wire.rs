//! What the parent and a GPU worker say to each other.

use serde::{Deserialize, Serialize};

use super::probe::Card;
use crate::device::RunOutcome;
use crate::exercise::ElementType;
use crate::sandbox::Bytes;

/// A request; each has one answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Request {
    /// Which card is it?
    Card { gpu: i32 },
    /// Make its context, which takes a moment.
    Open { gpu: i32 },
    /// A program, kept under a name.
    Module { key: String, cubin: Bytes },
    /// Bytes that buffers hold or must hold, kept under a name.
    Blob { key: String, bytes: Bytes },
    /// Make a row ready: the modules and blobs that it names are there.
    Row(RowSpec),
    /// Run launches `first..first + count` of that row.
    Launch { first: u32, count: u32 },
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    Card(Card),
    Done,
    Batch(Batch),
    /// The kernel cannot be launched as asked; the worker goes on.
    Impossible(String),
    /// The worker's own failure.
    Failed(String),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RowSpec {
    pub module: String,
    pub kernel: String,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    pub buffers: Vec<BufferSpec>,
    pub arguments: Vec<ArgumentSpec>,
    /// Index into `buffers`, and the blob that it must equal.
    pub wanted: Vec<(usize, String)>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct BufferSpec {
    pub name: String,
    pub ty: Element,
    pub blob: String,
    pub read_only: bool,
    /// The contents are poison, which no kernel may read: under a tool the memory is left as it was allocated.
    pub poisoned: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum ArgumentSpec {
    Buffer(usize),
    Bytes(Bytes),
    /// Bytes, and buffers whose addresses go into them: (offset, index).
    Struct(Bytes, Vec<(usize, usize)>),
}

/// What a batch of launches gave.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Batch {
    /// In order; fewer than asked when the state had to be renewed after one of them, or when `fault` came.
    pub runs: Vec<RunOutcome>,
    /// The kernel's fault; the context is lost and the worker of no more use.
    pub fault: Option<String>,
    pub printed: String,
    pub printed_cut: bool,
}

/// [`ElementType`], on the wire.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) enum Element {
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl From<ElementType> for Element {
    fn from(ty: ElementType) -> Self {
        match ty {
            ElementType::I32 => Element::I32,
            ElementType::U32 => Element::U32,
            ElementType::I64 => Element::I64,
            ElementType::U64 => Element::U64,
            ElementType::F32 => Element::F32,
            ElementType::F64 => Element::F64,
        }
    }
}

impl From<Element> for ElementType {
    fn from(ty: Element) -> Self {
        match ty {
            Element::I32 => ElementType::I32,
            Element::U32 => ElementType::U32,
            Element::I64 => ElementType::I64,
            Element::U64 => ElementType::U64,
            Element::F32 => ElementType::F32,
            Element::F64 => ElementType::F64,
        }
    }
}
