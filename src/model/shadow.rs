//! Shadow memory: what has been done to each line, word and byte in this launch.
//!
//! A 128-byte line that whole warps touch in step (lane `i` at word `i + shift`) stays a *summary*: one write and
//! two reads, checked and recorded at once. Anything else turns it into 32 word cells. Cells hold one write and
//! one read in place and the rest (bytes apart, several unordered readers, messages, history) behind a pointer.
//!
//! May miss: of many unordered readers of a word, four are kept (two warps' of a line that is only read), those
//! of other blocks and warps first. A later unordered write is missed only if it is ordered after all of the
//! kept ones and not after one that was dropped; another seed keeps others.
//!
//! Lines are cleared by epoch, never by sweeping.

use smallvec::SmallVec;

use super::record::Rec;
use super::stale::History;
use super::sync::Message;

/// Bytes a line shadows.
pub(super) const LINE: u64 = 128;
const LINES_PER_CHUNK: usize = 32;

/// A warp's access to consecutive words of a line: lane `word - shift` touched `word`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slot {
    pub rec: Rec,
    /// Words of the line, one bit each; 0 is an empty slot.
    pub words: u32,
    pub shift: i8,
}

impl Slot {
    /// The record as one word's.
    pub fn word(&self, word: u32) -> Rec {
        let lane = word as i32 - i32::from(self.shift);
        self.rec.at(1 << lane, 0b1111)
    }

    /// Both touch each word with the same thread.
    pub fn in_step(&self, other: &Slot) -> bool {
        self.rec.block == other.rec.block && self.rec.warp == other.rec.warp && self.shift == other.shift
    }
}

/// What is known of one 4-byte word.
#[derive(Debug, Default)]
pub(super) struct Cell {
    /// The newest write.
    pub write: Rec,
    /// A read since; not necessarily the newest.
    pub read: Rec,
    pub more: Option<Box<More>>,
}

/// The rarer part of a cell.
#[derive(Debug, Default)]
pub(super) struct More {
    /// Earlier writes that the newest does not stand for: to other bytes, or unordered atomics.
    pub writes: SmallVec<[Rec; 2]>,
    pub reads: SmallVec<[Rec; 2]>,
    pub message: Option<Box<Message>>,
    pub history: Option<Box<History>>,
    /// A history that is no longer one: its tables are used again.
    spare: Option<Box<History>>,
}

impl Cell {
    pub fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// Forgets everything, and keeps what it has allocated.
    fn clear(&mut self) {
        (self.write, self.read) = Default::default();
        if let Some(more) = &mut self.more {
            more.writes.clear();
            more.reads.clear();
            more.message = None;
            if let Some(history) = more.history.take() {
                more.spare = Some(history);
            }
        }
    }
}

impl More {
    /// The word's old values, from `before` on where there are none yet.
    pub fn history(&mut self, before: [u8; 4]) -> &mut History {
        let spare = &mut self.spare;
        self.history.get_or_insert_with(|| {
            let mut history = spare.take().unwrap_or_default();
            history.begin(before);
            history
        })
    }
}

#[derive(Debug, Default)]
pub(super) struct Line {
    epoch: u32,
    pub write: Slot,
    pub reads: [Slot; 2],
    cells: Option<Box<[Cell; 32]>>,
    /// The cells hold the line's state; else the summary does, and they are left from earlier.
    by_word: bool,
    /// A cell holds a message or old values, which outlive a barrier.
    keeps: bool,
    /// Shared memory: the phase in which the line was last touched.
    phase: u32,
    /// Bytes written since the block began (shared memory only).
    pub written: u128,
}

impl Line {
    /// Whether the line has to be judged word by word.
    pub fn is_by_word(&self) -> bool {
        self.by_word
    }

    /// The block that owns this shared line has passed full barriers since: whatever was done before is ordered
    /// before all that its threads do from now on.
    pub fn enter_phase(&mut self, phase: u32) {
        if self.phase != phase {
            self.phase = phase;
            self.write = Slot::default();
            self.reads = Default::default();
            self.by_word &= self.keeps;
        }
    }

    /// The cells of a line whose messages or old values must survive barriers.
    pub fn lasting_cells(&mut self) -> &mut [Cell; 32] {
        self.cells();
        self.keeps = true;
        self.cells()
    }

    /// The line's cells; a summary is spread over them first.
    pub fn cells(&mut self) -> &mut [Cell; 32] {
        let cells = self.cells.get_or_insert_with(Default::default);
        if self.by_word {
            return cells;
        }
        self.by_word = true;
        for (i, cell) in cells.iter_mut().enumerate() {
            cell.clear();
            let bit = 1u32 << i;
            if self.write.words & bit != 0 {
                cell.write = self.write.word(i as u32);
            }
            for slot in self.reads.iter().filter(|slot| slot.words & bit != 0) {
                let rec = slot.word(i as u32);
                if cell.read.present() {
                    cell.more().reads.push(rec);
                } else {
                    cell.read = rec;
                }
            }
        }
        self.write = Slot::default();
        self.reads = Default::default();
        cells
    }

    fn begin(&mut self, epoch: u32) {
        self.epoch = epoch;
        self.write = Slot::default();
        self.reads = Default::default();
        self.written = 0;
        self.by_word = false;
        self.keeps = false;
        self.phase = 0;
    }
}

/// The shadow of one allocation, or of one block's shared memory.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    chunks: Vec<Option<Box<[Line; LINES_PER_CHUNK]>>>,
    epoch: u32,
}

impl Shadow {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.epoch += 1;
    }

    /// The line that holds byte `offset`.
    pub fn line(&mut self, offset: u64) -> &mut Line {
        let line = (offset / LINE) as usize;
        let chunk = line / LINES_PER_CHUNK;
        if chunk >= self.chunks.len() {
            self.chunks.resize_with(chunk + 1, || None);
        }
        let epoch = self.epoch;
        let lines = self.chunks[chunk].get_or_insert_with(|| {
            let mut lines: Box<[Line; LINES_PER_CHUNK]> = Box::default();
            lines.iter_mut().for_each(|l| l.epoch = epoch);
            lines
        });
        let line = &mut lines[line % LINES_PER_CHUNK];
        if line.epoch != epoch {
            line.begin(epoch);
        }
        line
    }

    pub fn cell(&mut self, offset: u64) -> &mut Cell {
        &mut self.line(offset).cells()[(offset % LINE / 4) as usize]
    }

    /// A cell that is about to get a message or old values.
    pub fn lasting_cell(&mut self, offset: u64) -> &mut Cell {
        &mut self.line(offset).lasting_cells()[(offset % LINE / 4) as usize]
    }
}
