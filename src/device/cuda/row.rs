//! One row on the card: buffers, resets, launches, comparisons.
//!
//! - Every buffer holds what it should before every launch (contract rule 10). Small ones are copied from the host,
//!   never from a copy on the card that a kernel could have changed; uniform ones are filled. A large read-only buffer
//!   is left as it is as long as its fingerprint, taken after each launch and compared on the host, is right.
//! - Launches go out in batches without waiting; results arrive in pinned memory, one slot a launch, with a mark that
//!   shows how far a batch got before a fault.
//! - Comparison is exact, on the host, of bytes that were copied after the launch; a large buffer whose fingerprint is
//!   that of the wanted bytes is equal, any other is copied and compared.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::driver::{self, DeviceBuffer, DriverFault, Kernel, Module, Pinned, Variable};
use super::fingerprint::{self, fingerprint};
use super::wire::{ArgumentSpec, Batch, RowSpec};
use crate::device::{Comparison, JobArgument, RunOutcome, compare};
use crate::exercise::ElementType;

/// Bytes up to which a buffer is copied whole after each launch; a larger one is fingerprinted first.
const SMALL: usize = 64 << 10;

/// A row, ready to be launched.
pub(super) struct Row {
    spec: RowSpec,
    module: Rc<Module>,
    /// Variables of the program, which would live on from launch to launch.
    variables: Rc<Vec<Variable>>,
    /// The program is loaded afresh for each launch: it has variables that cannot be named.
    fresh: Option<Rc<Vec<u8>>>,
    buffers: Vec<RowBuffer>,
    arguments: Vec<Vec<u8>>,
    wanted: Vec<Wanted>,
    /// Where a launch's results go; a batch has one slot a launch.
    slots: Pinned,
    slot: usize,
    /// A word that is copied last, to mark a launch as finished.
    mark: DeviceBuffer,
    /// One sum for each fingerprint of a launch.
    sums: Vec<DeviceBuffer>,
    /// A fingerprint was wrong: from here on launches go out one by one, so that what it stands for can be copied.
    single: bool,
    /// A tool watches: nothing of ours is launched, and nothing compared.
    watched: bool,
}

struct RowBuffer {
    memory: Rc<DeviceBuffer>,
    contents: Blob,
    reset: Reset,
    read_only: bool,
    /// Offset in a slot, and whether it is a fingerprint; for read-only and wanted buffers.
    seen: Option<Seen>,
}

enum Reset {
    /// Never written: under a tool that watches for reads of such memory.
    Untouched,
    /// All words alike.
    Fill(u32),
    Copy(Pinned),
    /// Large: copied when it is not known to be as it should.
    WhenChanged {
        clean: bool,
    },
}

#[derive(Clone, Copy)]
struct Seen {
    offset: usize,
    /// Index into `sums`; `None` when the bytes themselves are copied.
    sum: Option<usize>,
}

struct Wanted {
    buffer: usize,
    want: Blob,
}

/// Bytes from the parent, with their fingerprint.
#[derive(Clone)]
pub(super) struct Blob {
    bytes: Rc<Vec<u8>>,
    fingerprint: u64,
}

impl Blob {
    pub fn new(bytes: Vec<u8>) -> Blob {
        Blob { fingerprint: fingerprint(&bytes), bytes: Rc::new(bytes) }
    }
}

/// What a launch left in a buffer.
enum Left<'r> {
    /// The buffer's own contents, by fingerprint.
    Same,
    /// The wanted bytes, by fingerprint.
    AsWanted,
    Bytes(Cow<'r, [u8]>),
}

/// What the row needs from the worker's store.
pub(super) struct Parts {
    pub module: Rc<Module>,
    pub variables: Rc<Vec<Variable>>,
    /// The CUBIN, when the program has variables that cannot be named.
    pub fresh: Option<Rc<Vec<u8>>>,
    /// For each buffer: its contents, and memory that already holds them, where there is some.
    pub contents: Vec<(Blob, Option<Rc<DeviceBuffer>>)>,
    pub wanted: Vec<Blob>,
}

/// The most launches of a batch.
pub(super) const BATCH: u32 = 32;

impl Row {
    /// `watched`, by a tool: poisoned buffers stay as they were allocated, and results are not looked at.
    pub fn new(spec: RowSpec, parts: Parts, watched: bool) -> Result<Row, DriverFault> {
        let mut buffers = Vec::new();
        for (own, (contents, held)) in spec.buffers.iter().zip(parts.contents) {
            let clean = held.is_some();
            let memory = match held {
                Some(memory) => memory,
                None => Rc::new(DeviceBuffer::allocate(contents.bytes.len())?),
            };
            let reset = match uniform(&contents.bytes) {
                _ if watched && own.poisoned => Reset::Untouched,
                Some(word) if !clean => Reset::Fill(word),
                _ if contents.bytes.len() <= SMALL && !clean => {
                    Reset::Copy(Pinned::holding(&contents.bytes)?)
                }
                _ => Reset::WhenChanged { clean },
            };
            buffers.push(RowBuffer { memory, contents, reset, read_only: own.read_only, seen: None });
        }
        let wanted: Vec<Wanted> = spec
            .wanted
            .iter()
            .zip(parts.wanted)
            .map(|((buffer, _), want)| Wanted { buffer: *buffer, want })
            .collect();
        // The mark comes first in a slot.
        let (mut slot, mut sums) = (8, Vec::new());
        for (index, buffer) in buffers.iter_mut().enumerate() {
            if !buffer.read_only && !wanted.iter().any(|w| w.buffer == index) {
                continue;
            }
            let bytes = buffer.contents.bytes.len();
            let small = bytes <= SMALL;
            buffer.seen = Some(Seen { offset: slot, sum: (!small).then_some(sums.len()) });
            slot += if small { bytes.next_multiple_of(8) } else { 8 };
            if !small {
                sums.push(DeviceBuffer::allocate(8)?);
            }
        }
        let arguments = spec
            .arguments
            .iter()
            .map(|argument| {
                let argument = match argument.clone() {
                    ArgumentSpec::Buffer(index) => JobArgument::Buffer(index),
                    ArgumentSpec::Bytes(bytes) => JobArgument::Bytes(bytes.0),
                    ArgumentSpec::Struct(bytes, pointers) => JobArgument::Struct { bytes: bytes.0, pointers },
                };
                argument.bytes(|index| buffers[index].memory.address())
            })
            .collect();
        let slots = Pinned::allocate(slot * BATCH as usize)?;
        let mark = DeviceBuffer::allocate(8)?;
        Ok(Row {
            spec,
            module: parts.module,
            variables: parts.variables,
            fresh: parts.fresh,
            buffers,
            arguments,
            wanted,
            slots,
            slot,
            mark,
            sums,
            single: false,
            watched,
        })
    }

    /// Why the card cannot run this launch at all, in words; `None` when it can.
    pub fn impossible(&self, shared_limit: u32) -> Result<Option<String>, DriverFault> {
        let Some(kernel) = self.module.kernel(&self.spec.kernel) else {
            return Ok(Some("is not in the program built for this card".to_owned()));
        };
        let own = kernel.static_shared()?;
        let shared = own.saturating_add(self.spec.dynamic_shared);
        if shared > shared_limit {
            return Ok(Some(format!(
                "asks for {shared} bytes of shared memory a block; this card allows {shared_limit}"
            )));
        }
        let threads = self.spec.block.iter().product::<u32>();
        let most = kernel.most_threads()?;
        if threads > most {
            return Ok(Some(format!(
                "is launched with blocks of {threads} threads; with the registers that it takes, this card allows {most}"
            )));
        }
        if self.spec.dynamic_shared > 48 << 10 {
            kernel.allow_shared(self.spec.dynamic_shared)?;
        }
        Ok(None)
    }

    /// Runs up to `count` launches (at most [`BATCH`]); the outcomes say how many. None, once, when a fingerprint was
    /// wrong and the launch must be made again by itself. A driver's error that is not the kernel's is an error here.
    pub fn launch(&mut self, count: u32, checker: &Kernel) -> Result<Batch, DriverFault> {
        let count = if self.single { 1 } else { count.min(BATCH) };
        self.slots.bytes_mut().fill(0);
        let mut programs = Vec::new();
        let mut refused = None;
        for slot in 0..count as usize {
            self.reset()?;
            self.mark.fill_later(1)?;
            let module = match &self.fresh {
                Some(image) => Rc::new(Module::load(image)?),
                None => Rc::clone(&self.module),
            };
            // Checked at the launch, and again after the synchronisation (contract rule 11).
            let spec = &self.spec;
            let launched = match module.kernel(&spec.kernel) {
                Some(kernel) => kernel.launch(spec.grid, spec.block, spec.dynamic_shared, &self.arguments),
                None => break,
            };
            programs.push(module);
            if let Err(fault) = launched {
                refused = Some(fault);
                break;
            }
            if self.watched {
                continue;
            }
            self.look(slot, checker)?;
            self.mark.download_later(&self.slots, slot * self.slot)?;
        }
        let ended = driver::synchronize();
        let mut batch = self.results(count)?;
        if let Some(fault) = refused.or(ended.err()) {
            let words = super::fault::of_kernel(&fault).or_else(|| super::fault::of_launch(&fault));
            batch.fault = Some(format!("{} ({})", words.ok_or_else(|| fault.clone())?, fault.words));
        }
        Ok(batch)
    }

    fn reset(&self) -> Result<(), DriverFault> {
        for variable in self.variables.iter() {
            variable.restore_later()?;
        }
        for buffer in &self.buffers {
            match &buffer.reset {
                Reset::Untouched => {}
                Reset::Fill(word) => buffer.memory.fill_later(*word)?,
                Reset::Copy(pinned) => buffer.memory.upload_later(pinned)?,
                Reset::WhenChanged { clean: true } if buffer.read_only => {}
                Reset::WhenChanged { .. } => buffer.memory.upload(&buffer.contents.bytes)?,
            }
        }
        Ok(())
    }

    /// Copies what is compared, or its fingerprint, to the launch's slot.
    fn look(&self, slot: usize, checker: &Kernel) -> Result<(), DriverFault> {
        for buffer in &self.buffers {
            let Some(seen) = buffer.seen else { continue };
            let offset = slot * self.slot + seen.offset;
            let Some(sum) = seen.sum else {
                buffer.memory.download_later(&self.slots, offset)?;
                continue;
            };
            let sum = &self.sums[sum];
            sum.fill_later(0)?;
            let words = (buffer.contents.bytes.len() / 4) as u64;
            let arguments = [buffer.memory.address(), words, sum.address()].map(|n| n.to_le_bytes().to_vec());
            checker.launch([fingerprint::GRID, 1, 1], [fingerprint::BLOCK, 1, 1], 0, &arguments)?;
            sum.download_later(&self.slots, offset)?;
        }
        Ok(())
    }

    /// The finished launches' outcomes, up to the first that needs a closer look than a batch allows.
    fn results(&mut self, count: u32) -> Result<Batch, DriverFault> {
        let mut batch = Batch::default();
        for slot in 0..count as usize {
            let at = slot * self.slot;
            // Not marked: not finished, or not looked at.
            if self.slots.bytes()[at] != 1 {
                break;
            }
            let fingerprints_hold = self.fingerprints_hold(at);
            for buffer in self.buffers.iter_mut().filter(|buffer| buffer.read_only) {
                if let Reset::WhenChanged { clean } = &mut buffer.reset {
                    *clean = fingerprints_hold;
                }
            }
            if !fingerprints_hold && count > 1 {
                self.single = true;
                break;
            }
            batch.runs.push(self.outcome(at)?);
        }
        Ok(batch)
    }

    fn fingerprints_hold(&self, at: usize) -> bool {
        let slots = self.slots.bytes();
        self.buffers.iter().enumerate().all(|(index, buffer)| {
            let Some(Seen { offset, sum: Some(_) }) = buffer.seen else { return true };
            let found = word_at(slots, at + offset);
            let wanted = self.wanted.iter().filter(|w| w.buffer == index);
            (!buffer.read_only || found == buffer.contents.fingerprint)
                && wanted.into_iter().all(|w| found == w.want.fingerprint)
        })
    }

    /// One launch's outcome. Where a fingerprint is wrong it was the only launch, and the buffer still is as it left it.
    fn outcome(&self, at: usize) -> Result<RunOutcome, DriverFault> {
        let slots = self.slots.bytes();
        let mut left: Vec<Option<Left>> = Vec::new();
        for (index, buffer) in self.buffers.iter().enumerate() {
            let wanted = self.wanted.iter().find(|w| w.buffer == index);
            let Some(Seen { offset, sum }) = buffer.seen else {
                left.push(None);
                continue;
            };
            let found = &slots[at + offset..];
            left.push(Some(match sum {
                None => Left::Bytes(Cow::Borrowed(&found[..buffer.contents.bytes.len()])),
                Some(_) if wanted.is_some_and(|w| w.want.fingerprint == word_at(found, 0)) => Left::AsWanted,
                Some(_) if buffer.contents.fingerprint == word_at(found, 0) => Left::Same,
                Some(_) => Left::Bytes(Cow::Owned(buffer.memory.download()?)),
            }));
        }
        let mut changed = BTreeMap::new();
        for ((own, buffer), left) in self.spec.buffers.iter().zip(&self.buffers).zip(&left) {
            let (true, Some(Left::Bytes(now))) = (own.read_only, left) else { continue };
            if let Some(byte) = first_change(now, &buffer.contents.bytes) {
                let element = ElementType::from(own.ty).bytes() as usize;
                changed.insert(own.name.clone(), (byte / element) as u64);
            }
        }
        let comparisons = self.wanted.iter().map(|wanted| {
            let ty = ElementType::from(self.spec.buffers[wanted.buffer].ty);
            let want = &wanted.want.bytes;
            match &left[wanted.buffer] {
                None => Comparison::default(),
                // Nothing differs: the first element stands for all.
                Some(Left::AsWanted) => {
                    let first = &want[..want.len().min(ty.bytes() as usize)];
                    compare(first, first, ty)
                }
                Some(Left::Same) => compare(&self.buffers[wanted.buffer].contents.bytes, want, ty),
                Some(Left::Bytes(now)) => compare(now, want, ty),
            }
        });
        Ok(RunOutcome { comparisons: comparisons.collect(), changed })
    }

    /// Memory of large read-only buffers that is known to be as it should, for the next row: by blob.
    pub fn clean_memory(&self) -> impl Iterator<Item = (&str, &Rc<DeviceBuffer>)> {
        let buffers = self.spec.buffers.iter().zip(&self.buffers);
        buffers.filter_map(|(spec, buffer)| {
            let clean = matches!(buffer.reset, Reset::WhenChanged { clean: true });
            (clean && buffer.read_only).then_some((spec.blob.as_str(), &buffer.memory))
        })
    }
}

/// The word that all of `bytes` repeats.
fn uniform(bytes: &[u8]) -> Option<u32> {
    let (words, rest) = bytes.as_chunks::<4>();
    let first = words.first()?;
    (rest.is_empty() && words.iter().all(|word| word == first)).then(|| u32::from_le_bytes(*first))
}

/// The first differing byte.
fn first_change(now: &[u8], before: &[u8]) -> Option<usize> {
    if now == before { None } else { now.iter().zip(before).position(|(a, b)| a != b) }
}

fn word_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_words_are_seen() {
        assert_eq!(uniform(&[7, 0, 0, 0, 7, 0, 0, 0]), Some(7));
        assert_eq!(uniform(&[7, 0, 0, 0, 8, 0, 0, 0]), None);
        assert_eq!(uniform(&[7, 0, 0, 0, 7]), None);
        assert_eq!(uniform(&[]), None);
    }
}
