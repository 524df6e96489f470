//! Compact register numbering: PTX uses a fresh register for nearly every value, and a warp's rows should
//! stay in the cache.
//!
//! Liveness by the usual data flow over basic blocks, then linear scan over live intervals without holes
//! (Poletto and Sarkar, 1999). Registers are private to a lane and a lane follows its own path through the
//! flow graph, so that divergence does not matter here: a write touches the lanes that execute it alone.

use std::collections::HashMap;

use super::scope::{Class, Register};
use crate::simt::code::Reg;

/// What one PTX instruction (or label) reads and writes, and where it may go.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Device instructions `first..end` of the body.
    pub first: u32,
    pub end: u32,
    pub reads: Vec<Register>,
    pub writes: Vec<Register>,
    pub guarded: bool,
    pub label: Option<u32>,
    /// Labels that it may branch to.
    pub targets: Vec<u32>,
    pub falls_through: bool,
}

/// From first numbering to the compact one.
#[derive(Debug)]
pub(super) struct Mapping {
    /// Predicates, 32-bit rows, 64-bit rows in use.
    pub counts: [u32; 3],
    tables: [Vec<u32>; 3],
    /// Which registers some node reads.
    read: [Vec<bool>; 3],
}

impl Mapping {
    pub fn physical(&self, register: Register) -> Reg {
        let table = &self.tables[file(register.class)];
        table.get(register.number as usize).copied().unwrap_or(0)
    }

    /// Whether any instruction reads the register.
    pub fn is_read(&self, register: Register) -> bool {
        self.read[file(register.class)].get(register.number as usize).copied().unwrap_or(true)
    }
}

fn file(class: Class) -> usize {
    match class {
        Class::Pred => 0,
        Class::W32 => 1,
        Class::W64 | Class::W128 => 2,
    }
}

/// A set of registers of all files, as bits.
type Bits = Vec<u64>;

struct Block {
    nodes: std::ops::Range<usize>,
    successors: Vec<usize>,
    live_in: Bits,
    live_out: Bits,
}

/// Makes the mapping for a body whose first pass left `nodes`.
pub(super) fn allocate(nodes: &[Node], counts: [u32; 3], pairs: &[u32]) -> Mapping {
    let starts = [0, counts[0] as usize, (counts[0] + counts[1]) as usize];
    let total = counts.iter().sum::<u32>() as usize;
    let rows = |r: &Register| {
        let first = starts[file(r.class)] + r.number as usize;
        first..first + if r.class == Class::W128 { 2 } else { 1 }
    };
    let mut blocks = blocks(nodes);
    flow(nodes, &mut blocks, total, &rows);

    // Positions: a node reads at 2n and writes at 2n + 1; one that is several device instructions does both at both.
    let mut intervals: Vec<Option<(u32, u32)>> = vec![None; total];
    let mut extend = |index: usize, at: u32| {
        let interval = intervals[index].get_or_insert((at, at));
        interval.0 = interval.0.min(at);
        interval.1 = interval.1.max(at);
    };
    for block in &blocks {
        let (first, last) = (2 * block.nodes.start as u32, 2 * block.nodes.end as u32 - 1);
        for index in ones(&block.live_in) {
            extend(index, first);
        }
        for index in ones(&block.live_out) {
            extend(index, last);
        }
    }
    for (n, node) in nodes.iter().enumerate() {
        let n = 2 * n as u32;
        let several = node.end - node.first != 1;
        for register in &node.reads {
            rows(register).for_each(|i| {
                extend(i, n);
                if several {
                    extend(i, n + 1);
                }
            });
        }
        for register in &node.writes {
            rows(register).for_each(|i| {
                extend(i, n + 1);
                if several {
                    extend(i, n);
                }
            });
        }
    }
    let mut read = counts.map(|c| vec![false; c as usize]);
    for register in nodes.iter().flat_map(|node| &node.reads) {
        if let Some(read) = read[file(register.class)].get_mut(register.number as usize) {
            *read = true;
        }
    }
    let mut mapping = Mapping { counts: [0; 3], tables: counts.map(|c| vec![0; c as usize]), read };
    for file in 0..3 {
        let pairs = if file == 2 { pairs } else { &[] };
        let range = starts[file]..starts[file] + counts[file] as usize;
        mapping.counts[file] = scan(&intervals[range], pairs, &mut mapping.tables[file]);
    }
    mapping
}

/// Cuts the nodes into basic blocks.
fn blocks(nodes: &[Node]) -> Vec<Block> {
    let mut starts = vec![0];
    for (n, node) in nodes.iter().enumerate() {
        if node.label.is_some() && n > 0 {
            starts.push(n);
        }
        if (!node.targets.is_empty() || (!node.falls_through && node.end > node.first)) && n + 1 < nodes.len()
        {
            starts.push(n + 1);
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let mut block_of_label = HashMap::new();
    for (b, &start) in starts.iter().enumerate() {
        if let Some(label) = nodes[start].label {
            block_of_label.insert(label, b);
        }
    }
    let mut blocks = Vec::with_capacity(starts.len());
    for (b, &start) in starts.iter().enumerate() {
        let end = starts.get(b + 1).copied().unwrap_or(nodes.len());
        let last = &nodes[end - 1];
        let mut successors: Vec<usize> =
            last.targets.iter().filter_map(|l| block_of_label.get(l).copied()).collect();
        let empty = last.end == last.first;
        if (last.falls_through || empty) && b + 1 < starts.len() {
            successors.push(b + 1);
        }
        blocks.push(Block { nodes: start..end, successors, live_in: Vec::new(), live_out: Vec::new() });
    }
    blocks
}

/// Solves liveness backwards to a fixed point.
fn flow(
    nodes: &[Node],
    blocks: &mut [Block],
    total: usize,
    rows: &dyn Fn(&Register) -> std::ops::Range<usize>,
) {
    let words = total.div_ceil(64);
    let mut effects: Vec<(Bits, Bits)> = Vec::with_capacity(blocks.len());
    for block in blocks.iter_mut() {
        block.live_in = vec![0; words];
        block.live_out = vec![0; words];
        let (mut gen_, mut kill) = (vec![0u64; words], vec![0u64; words]);
        for node in nodes[block.nodes.clone()].iter().rev() {
            for index in node.writes.iter().flat_map(rows) {
                if node.guarded {
                    // The old value survives where the guard is false.
                    gen_[index / 64] |= 1 << (index % 64);
                } else {
                    gen_[index / 64] &= !(1 << (index % 64));
                    kill[index / 64] |= 1 << (index % 64);
                }
            }
            for index in node.reads.iter().flat_map(rows) {
                gen_[index / 64] |= 1 << (index % 64);
            }
        }
        effects.push((gen_, kill));
    }
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..blocks.len()).rev() {
            let mut out = std::mem::take(&mut blocks[b].live_out);
            for s in 0..blocks[b].successors.len() {
                let successor = blocks[b].successors[s];
                let live = if successor == b { &blocks[b].live_in } else { &blocks[successor].live_in };
                for (o, l) in out.iter_mut().zip(live) {
                    *o |= l;
                }
            }
            let (gen_, kill) = &effects[b];
            for w in 0..words {
                let live = gen_[w] | (out[w] & !kill[w]);
                if live != blocks[b].live_in[w] {
                    blocks[b].live_in[w] = live;
                    changed = true;
                }
            }
            blocks[b].live_out = out;
        }
    }
}

fn ones(bits: &Bits) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(w, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                w * 64 + bit
            })
        })
    })
}

/// Linear scan over one file; returns the rows used. Pairs get rows of their own for good.
fn scan(intervals: &[Option<(u32, u32)>], pairs: &[u32], table: &mut [u32]) -> u32 {
    let mut order: Vec<usize> = (0..intervals.len()).filter(|&i| intervals[i].is_some()).collect();
    let mut used = 0;
    for &first in pairs {
        table[first as usize] = used;
        table[first as usize + 1] = used + 1;
        used += 2;
    }
    let paired = |i: usize| pairs.iter().any(|&p| i == p as usize || i == p as usize + 1);
    order.retain(|&i| pairs.is_empty() || !paired(i));
    order.sort_by_key(|&i| intervals[i]);
    let mut free: Vec<u32> = Vec::new();
    let mut active: std::collections::BinaryHeap<std::cmp::Reverse<(u32, u32)>> = Default::default();
    for i in order {
        let (start, end) = intervals[i].expect("only registers in use are scanned");
        while let Some(&std::cmp::Reverse((ends, row))) = active.peek()
            && ends < start
        {
            active.pop();
            free.push(row);
        }
        let row = free.pop().unwrap_or_else(|| {
            used += 1;
            used - 1
        });
        table[i] = row;
        active.push(std::cmp::Reverse((end, row)));
    }
    used
}
