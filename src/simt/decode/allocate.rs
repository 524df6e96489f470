//! Compact register numbering: PTX uses a fresh register for nearly every value, and a warp's rows should
//! stay in the cache.
//!
//! Liveness, then linear scan over live intervals without holes (Poletto and Sarkar, 1999).

use super::live::{Flow, ones};
use super::scope::{Class, Register};
use crate::simt::code::{Live, Reg};

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
    /// By node, for those that were asked for: the rows that hold something of use after it.
    pub live_after: Vec<(usize, Live)>,
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

/// Makes the mapping for a body whose first pass left `nodes`, with what is live after those in `asked`.
pub(super) fn allocate(nodes: &[Node], counts: [u32; 3], pairs: &[u32], asked: &[usize]) -> Mapping {
    let starts = [0, counts[0] as usize, (counts[0] + counts[1]) as usize];
    let total = counts.iter().sum::<u32>() as usize;
    let rows = |r: &Register| {
        let first = starts[file(r.class)] + r.number as usize;
        first..first + if r.class == Class::W128 { 2 } else { 1 }
    };
    let flow = Flow::of(nodes, total, &rows);

    // Positions: a node reads at 2n and writes at 2n + 1; one that is several device instructions does both at both.
    let mut intervals: Vec<Option<(u32, u32)>> = vec![None; total];
    let mut extend = |index: usize, at: u32| {
        let interval = intervals[index].get_or_insert((at, at));
        interval.0 = interval.0.min(at);
        interval.1 = interval.1.max(at);
    };
    for block in &flow.blocks {
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
    let tables = counts.map(|c| vec![0; c as usize]);
    let mut mapping = Mapping { counts: [0; 3], tables, read, live_after: Vec::new() };
    for file in 0..3 {
        let pairs = if file == 2 { pairs } else { &[] };
        let range = starts[file]..starts[file] + counts[file] as usize;
        mapping.counts[file] = scan(&intervals[range], pairs, &mut mapping.tables[file]);
    }
    for &node in asked {
        let mut live: [Vec<Reg>; 3] = Default::default();
        for index in ones(&flow.after(nodes, node, &rows)) {
            let file = if index < starts[1] { 0 } else { 1 + usize::from(index >= starts[2]) };
            live[file].push(mapping.tables[file][index - starts[file]]);
        }
        live.iter_mut().for_each(|rows| rows.sort_unstable());
        let [preds, rows32, rows64] = live;
        mapping.live_after.push((node, Live { rows32, rows64, preds }));
    }
    mapping
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
