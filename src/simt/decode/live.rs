//! Which registers hold something that may still be read, by the usual data flow over basic blocks.
//!
//! Registers are private to a lane and a lane follows its own path through the flow graph, so that divergence does not
//! matter here: a write touches the lanes that execute it alone.

use std::collections::HashMap;
use std::ops::Range;

use super::allocate::Node;
use super::scope::Register;

/// A set of registers of all files, as bits.
pub(super) type Bits = Vec<u64>;

/// The members of a set.
pub(super) fn ones(bits: &Bits) -> impl Iterator<Item = usize> {
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

/// A basic block.
pub(super) struct Block {
    pub nodes: Range<usize>,
    successors: Vec<usize>,
    pub live_in: Bits,
    pub live_out: Bits,
}

/// A function's basic blocks, with what is live at their ends.
pub(super) struct Flow {
    pub blocks: Vec<Block>,
    words: usize,
}

/// Positions of a register in the sets; a 128-bit one takes two.
pub(super) type Rows<'a> = dyn Fn(&Register) -> Range<usize> + 'a;

impl Flow {
    /// Solves liveness for `total` registers, backwards to a fixed point.
    pub fn of(nodes: &[Node], total: usize, rows: &Rows) -> Flow {
        let mut flow = Flow { blocks: blocks(nodes), words: total.div_ceil(64) };
        flow.solve(nodes, rows);
        flow
    }

    /// What is live right after a node.
    pub fn after(&self, nodes: &[Node], node: usize, rows: &Rows) -> Bits {
        let Some(block) = self.blocks.iter().find(|b| b.nodes.contains(&node)) else {
            return vec![0; self.words];
        };
        let mut live = block.live_out.clone();
        for node in nodes[node + 1..block.nodes.end].iter().rev() {
            for index in node.writes.iter().flat_map(rows).filter(|_| !node.guarded) {
                live[index / 64] &= !(1 << (index % 64));
            }
            for index in node.reads.iter().flat_map(rows) {
                live[index / 64] |= 1 << (index % 64);
            }
        }
        live
    }

    fn solve(&mut self, nodes: &[Node], rows: &Rows) {
        let Flow { blocks, words } = self;
        let words = *words;
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
