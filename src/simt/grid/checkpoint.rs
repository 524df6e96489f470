//! Where blocks stand at a barrier, so that later launches need not come that far again.
//!
//! Kept are the registers that may still be read, local and shared memory. Most rows are the same in all lanes or grow by
//! the same step from lane to lane (an index, an address), and take two numbers.

use multiversion::multiversion;

use super::block::Block;
use crate::simt::code::{Live, Op};
use crate::simt::env::Env;
use crate::simt::event::{Site, WARP};
use crate::simt::launch::LaunchReport;
use crate::simt::rows::{Row32, Row64};
use crate::simt::warp::{Frame, Wait, Warp};

/// A row follows in full.
const WHOLE: u32 = 0;
/// Lane 0's value and the step from lane to lane follow.
const STEPS: u32 = 1;

/// Shared memory that is kept as one row.
const ROW_BYTES: usize = 4 * WARP;

/// States of a launch's blocks, by block.
#[derive(Debug, Default)]
pub struct Checkpoints {
    /// Equal shares of the grid's blocks, in order.
    parts: Vec<Part>,
    /// Blocks in a share.
    span: u64,
}

/// States of some blocks that follow each other.
#[derive(Debug, Default)]
pub struct Part {
    words: Vec<u32>,
    /// By block, where its state begins; `u32::MAX`: it has none.
    starts: Vec<u32>,
}

impl Checkpoints {
    /// From shares of `span` blocks each. `None` when no block has a state.
    pub fn of(parts: Vec<Part>, span: u64) -> Option<Checkpoints> {
        let any = parts.iter().any(|part| part.starts.iter().any(|s| *s != u32::MAX));
        any.then_some(Checkpoints { parts, span })
    }

    /// Puts a block that has just been started where it was kept, and counts what it did up to there.
    pub(super) fn resume(&self, env: &Env, block: &mut Block, report: &mut LaunchReport) {
        let (part, own) = ((block.index / self.span) as usize, (block.index % self.span) as usize);
        let Some(part) = self.parts.get(part) else { return };
        let Some(words) = part.starts.get(own).and_then(|s| part.words.get(*s as usize..)) else { return };
        let mut words = Reader(words);
        let [site, warp_instructions, thread_instructions] = words.take();
        let Some(live) = env.program.tables.live_after.get(&site) else { return };
        report.warp_instructions += u64::from(warp_instructions);
        report.thread_instructions += u64::from(thread_instructions);
        spread(block, site, (live, local_words(env)), &mut words);
    }
}

/// Gives a block that stands behind `site` its rows, as many words of local memory a thread, and shared memory.
#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2"))]
fn spread(block: &mut Block, site: Site, (live, local): (&Live, u32), words: &mut Reader) {
    for warp in &mut block.warps {
        warp.at.pc = site + 1;
        for &row in &live.rows32 {
            words.row32(&mut warp.rows32[row as usize]);
        }
        for &row in &live.rows64 {
            words.row64(&mut warp.rows64[row as usize]);
        }
        for &row in &live.preds {
            [warp.preds[row as usize]] = words.take();
        }
        for word in 0..local {
            let mut row = [0; WARP];
            words.row32(&mut row);
            set_local(warp, word, &row);
        }
    }
    let (rows, rest) = block.shared.as_chunks_mut::<ROW_BYTES>();
    for bytes in rows {
        let mut row = [0; WARP];
        words.row32(&mut row);
        for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(row) {
            *bytes = word.to_le_bytes();
        }
    }
    for bytes in rest.chunks_mut(4) {
        let [word] = words.take();
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
}

impl Part {
    pub fn bytes(&self) -> usize {
        4 * (self.words.len() + self.starts.len())
    }

    /// The next block's state; none when `state` is empty.
    pub(super) fn push(&mut self, state: &[u32]) {
        let start = if state.is_empty() { u32::MAX } else { self.words.len() as u32 };
        self.starts.push(start);
        self.words.extend_from_slice(state);
    }
}

/// Writes down how a block stands that has just passed the barrier at `site`; `instructions` are those of its warps and
/// of its threads up to here.
pub(super) fn keep(env: &Env, block: &Block, site: Site, instructions: [u64; 2], words: &mut Vec<u32>) {
    words.clear();
    let Some(Live { rows32, rows64, preds }) = env.program.tables.live_after.get(&site) else { return };
    let [warp, thread] = instructions.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    words.extend([site, warp, thread]);
    let local = local_words(env);
    for warp in &block.warps {
        rows32.iter().for_each(|&row| put_row32(words, &warp.rows32[row as usize]));
        rows64.iter().for_each(|&row| put_row64(words, &warp.rows64[row as usize]));
        words.extend(preds.iter().map(|&row| warp.preds[row as usize]));
        (0..local).for_each(|word| put_row32(words, &get_local(warp, word)));
    }
    let (rows, rest) = block.shared.as_chunks::<ROW_BYTES>();
    for bytes in rows {
        let words_of_row = bytes.as_chunks::<4>().0;
        put_row32(words, &std::array::from_fn(|lane| u32::from_le_bytes(words_of_row[lane])));
    }
    words.extend(rest.chunks(4).map(|bytes| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(word)
    }));
}

/// The barrier that all threads of the block have just passed together, if nothing else is under way.
pub(super) fn passed(env: &Env, block: &Block) -> Option<Site> {
    let site = block.warps.first()?.at.pc.checked_sub(1)?;
    let together = |warp: &Warp| {
        let at = &warp.at;
        at.pc == site + 1
            && at.mask == warp.live
            && at.wait == Wait::None
            && at.parked.is_none()
            && at.stack.is_empty()
            && at.frame == Frame { function: env.kernel.function, ..Frame::default() }
            && warp.others.iter().all(|split| split.mask == 0)
    };
    let all = env.code.get(site as usize)?.op == Op::Barrier
        && block.live == env.threads
        && block.barriers.iter().all(|barrier| barrier.is_idle())
        && block.warps.iter().all(together);
    all.then_some(site)
}

fn local_words(env: &Env) -> u32 {
    env.program.functions[env.kernel.function as usize].frame_bytes.div_ceil(4)
}

fn get_local(warp: &Warp, word: u32) -> Row32 {
    std::array::from_fn(|lane| {
        let bytes = warp.local.get(lane, u64::from(word) * 4, 4).and_then(|b| b.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes)
    })
}

fn set_local(warp: &mut Warp, word: u32, row: &Row32) {
    for (lane, value) in row.iter().enumerate() {
        if let Some(bytes) = warp.local.get_mut(lane, u64::from(word) * 4, 4) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }
}

fn put_row32(words: &mut Vec<u32>, row: &Row32) {
    let step = row[1].wrapping_sub(row[0]);
    if row.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step) {
        words.extend([STEPS, row[0], step]);
    } else {
        words.push(WHOLE);
        words.extend_from_slice(row);
    }
}

fn put_row64(words: &mut Vec<u32>, row: &Row64) {
    let halves = |value: u64| [value as u32, (value >> 32) as u32];
    let step = row[1].wrapping_sub(row[0]);
    if row.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step) {
        words.push(STEPS);
        words.extend(halves(row[0]));
        words.extend(halves(step));
    } else {
        words.push(WHOLE);
        words.extend(row.iter().flat_map(|&value| halves(value)));
    }
}

/// What is left of a state.
struct Reader<'a>(&'a [u32]);

impl Reader<'_> {
    #[inline(always)]
    fn take<const N: usize>(&mut self) -> [u32; N] {
        match self.0.split_first_chunk::<N>() {
            Some((taken, rest)) => {
                self.0 = rest;
                *taken
            }
            None => [0; N],
        }
    }

    #[inline(always)]
    fn row32(&mut self, row: &mut Row32) {
        if self.take() == [STEPS] {
            let [first, step] = self.take();
            for (lane, value) in row.iter_mut().enumerate() {
                *value = first.wrapping_add(step.wrapping_mul(lane as u32));
            }
        } else {
            *row = self.take();
        }
    }

    #[inline(always)]
    fn row64(&mut self, row: &mut Row64) {
        let whole = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        if self.take() == [STEPS] {
            let [low, high, step_low, step_high] = self.take();
            let (first, step) = (whole(low, high), whole(step_low, step_high));
            for (lane, value) in row.iter_mut().enumerate() {
                *value = first.wrapping_add(step.wrapping_mul(lane as u64));
            }
        } else {
            let halves: [u32; 2 * WARP] = self.take();
            for (value, half) in row.iter_mut().zip(halves.chunks_exact(2)) {
                *value = whole(half[0], half[1]);
            }
        }
    }
}
