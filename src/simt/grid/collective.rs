//! Operations that lanes of a warp carry out together: shuffles, votes, matches, reductions, warp barriers.
//!
//! Each names the lanes that take part. A group waits until every named lane that has not exited is at an operation
//! of the same kind with the same members, wherever in the program that is (PTX ISA, "shfl.sync", "bar.warp.sync").

use super::device::Device;
use super::step::Next;
use crate::simt::code::{Collective, CollectiveOp, Op};
use crate::simt::event::{Observer, WARP};
use crate::simt::launch::Fault;
use crate::simt::rows::{Row32, Row64, lanes, put};
use crate::simt::warp::{Split, Wait, Warp, WarpWait, pred, row32, row64};

impl<O: Observer> Device<'_, O> {
    /// The running lanes are at a warp barrier or warp-wide operation.
    pub(super) fn converge(&mut self, place: usize, index: usize, mask: u32) -> Result<Next, Box<Fault>> {
        let block = &mut self.blocks[place];
        let warp = &mut block.warps[index];
        let pc = warp.at.pc;
        let instr = self.env.code[pc as usize];
        let (kind, members) = match instr.op {
            Op::Collective => {
                let collective = &self.env.program.tables.collectives[instr.imm as usize];
                (WarpWait::Collective(collective.op), collective.members)
            }
            _ => (WarpWait::Sync, instr.a),
        };
        let members = *row32(warp, &self.env.image.words, members);
        warp.release_held();
        let stay = warp.at.mask & !mask;
        if stay != 0 {
            warp.part(stay, pc + 1);
        }
        // Lanes may name different members (a tile each): they wait as groups of their own.
        let mut left = warp.at.mask;
        let first = left.trailing_zeros() as usize & 31;
        let same = lanes(left).filter(|&l| members[l] == members[first]).fold(0, |m, l| m | 1u32 << l);
        if same == left {
            warp.at.wait = Wait::Warp { members: members[first], kind };
        } else {
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                let same = lanes(left).filter(|&l| members[l] == members[lane]).fold(0, |m, l| m | 1u32 << l);
                left &= !same;
                if left == 0 {
                    warp.at.mask = same;
                    warp.at.wait = Wait::Warp { members: members[lane], kind };
                } else {
                    let mut group = warp.at.clone();
                    group.mask = same;
                    group.wait = Wait::Warp { members: members[lane], kind };
                    warp.others.push(group);
                }
            }
        }
        self.meet(place, index);
        let waits = self.blocks[place].warps[index].at.wait != Wait::None;
        Ok(if waits { Next::Gone } else { Next::Moved })
    }

    /// Lanes of the warp have exited: those that waited for them may go on.
    pub(super) fn meet_after_exit(&mut self, place: usize, index: usize) {
        let waits = |s: &Split| s.mask != 0 && matches!(s.wait, Wait::Warp { .. });
        if self.blocks[place].warps[index].splits().any(waits) {
            self.meet(place, index);
        }
    }

    /// Completes every warp-wide operation whose members are all there.
    fn meet(&mut self, place: usize, index: usize) {
        let number = self.blocks[place].number();
        loop {
            let warp = &self.blocks[place].warps[index];
            let mut ready = None;
            for split in warp.splits().filter(|s| s.mask != 0) {
                let Wait::Warp { members, .. } = split.wait else { continue };
                let there = warp.splits().filter(|s| s.wait == split.wait).fold(0, |mask, s| mask | s.mask);
                if there & members & warp.live == members & warp.live {
                    ready = Some((split.wait, there));
                    break;
                }
            }
            let Some((wait, mask)) = ready else { return };
            let warp = &mut self.blocks[place].warps[index];
            let site = warp.splits().find(|s| s.wait == wait && s.mask != 0).map_or(0, |s| s.pc);
            if let Wait::Warp { kind: WarpWait::Collective(op), .. } = wait {
                let program = self.env.program;
                let site_of = |pc: u32| program.tables.collectives[self.env.code[pc as usize].imm as usize];
                exchange(warp, self.env.image, op, wait, &site_of);
            }
            for split in std::iter::once(&mut warp.at).chain(&mut warp.others) {
                if split.wait == wait && split.mask != 0 {
                    split.wait = Wait::None;
                    split.pc += 1;
                }
            }
            let block = &mut self.blocks[place];
            block.runnable |= 1 << index;
            if O::ENABLED && matches!(wait, Wait::Warp { kind: WarpWait::Sync, .. }) {
                self.observer.warp_barrier(site, number, index as u32, mask);
            }
        }
    }
}

/// Values of all lanes that take part.
struct Gathered {
    mask: u32,
    value: Row64,
    b: Row32,
    c: Row32,
}

/// Gathers from every group at the operation, computes, gives each group its results.
fn exchange(
    warp: &mut Warp,
    image: &crate::simt::program::Image,
    op: CollectiveOp,
    wait: Wait,
    site_of: &dyn Fn(u32) -> Collective,
) {
    let mut all = Gathered { mask: 0, value: [0; WARP], b: [0; WARP], c: [0; WARP] };
    let count = warp.others.len() + 1;
    for number in 0..count {
        if !bring_forward(warp, number, wait) {
            continue;
        }
        let site = site_of(warp.at.pc);
        let mask = warp.at.mask;
        let votes = matches!(
            op,
            CollectiveOp::VoteAll | CollectiveOp::VoteAny | CollectiveOp::VoteUni | CollectiveOp::VoteBallot
        );
        for lane in lanes(mask) {
            all.value[lane] = if votes {
                let bit = pred(warp, site.a) >> lane & 1;
                u64::from(bit ^ u32::from(site.negated))
            } else if op == CollectiveOp::Elect {
                0
            } else if site.wide {
                row64(warp, &image.doubles, site.a)[lane]
            } else {
                u64::from(row32(warp, &image.words, site.a)[lane])
            };
        }
        if matches!(
            op,
            CollectiveOp::ShflIdx | CollectiveOp::ShflUp | CollectiveOp::ShflDown | CollectiveOp::ShflBfly
        ) {
            for lane in lanes(mask) {
                all.b[lane] = row32(warp, &image.words, site.b)[lane];
                all.c[lane] = row32(warp, &image.words, site.c)[lane];
            }
        }
        all.mask |= mask;
        put_back(warp, number);
    }
    let (values, holds) = compute(op, &all);
    for number in 0..count {
        if !bring_forward(warp, number, wait) {
            continue;
        }
        let site = site_of(warp.at.pc);
        let mask = warp.at.mask;
        if let Some(d) = site.d {
            put(&mut warp.rows32[(warp.at.frame.rows32 + d) as usize], &values, mask);
        }
        if let Some(p) = site.p {
            let p = &mut warp.preds[(warp.at.frame.preds + p) as usize];
            *p = (*p & !mask) | (holds & mask);
        }
        put_back(warp, number);
    }
}

/// Makes group `number` (0 is the running one) the running one for a moment, if it takes part.
fn bring_forward(warp: &mut Warp, number: usize, wait: Wait) -> bool {
    let takes_part = |s: &Split| s.wait == wait && s.mask != 0;
    if number == 0 {
        return takes_part(&warp.at);
    }
    if !takes_part(&warp.others[number - 1]) {
        return false;
    }
    std::mem::swap(&mut warp.at, &mut warp.others[number - 1]);
    true
}

fn put_back(warp: &mut Warp, number: usize) {
    if number > 0 {
        std::mem::swap(&mut warp.at, &mut warp.others[number - 1]);
    }
}

/// Every lane's value and predicate.
fn compute(op: CollectiveOp, all: &Gathered) -> (Row32, u32) {
    let mut values = [0u32; WARP];
    let mut holds = 0u32;
    let ballot = lanes(all.mask).filter(|&l| all.value[l] != 0).fold(0u32, |m, l| m | 1 << l);
    let everyone = |holds: bool| if holds { u32::MAX } else { 0 };
    match op {
        CollectiveOp::ShflIdx | CollectiveOp::ShflUp | CollectiveOp::ShflDown | CollectiveOp::ShflBfly => {
            for lane in lanes(all.mask) {
                let (source, inside) = shuffle_source(op, lane as u32, all.b[lane], all.c[lane]);
                values[lane] = all.value[source] as u32;
                holds |= u32::from(inside) << lane;
            }
        }
        CollectiveOp::VoteAll => holds = everyone(ballot == all.mask),
        CollectiveOp::VoteAny => holds = everyone(ballot != 0),
        CollectiveOp::VoteUni => holds = everyone(ballot == 0 || ballot == all.mask),
        CollectiveOp::VoteBallot => values = [ballot; WARP],
        CollectiveOp::MatchAny => {
            for lane in lanes(all.mask) {
                values[lane] = lanes(all.mask)
                    .filter(|&other| all.value[other] == all.value[lane])
                    .fold(0, |m, other| m | 1 << other);
            }
        }
        CollectiveOp::MatchAll => {
            let first = all.value[all.mask.trailing_zeros() as usize & 31];
            let equal = lanes(all.mask).all(|l| all.value[l] == first);
            values = [if equal { all.mask } else { 0 }; WARP];
            holds = everyone(equal);
        }
        CollectiveOp::Elect => {
            let leader = all.mask.trailing_zeros() & 31;
            values = [leader; WARP];
            holds = 1 << leader;
        }
        _ => {
            let mut words = lanes(all.mask).map(|l| all.value[l] as u32);
            let first = words.next().unwrap_or(0);
            values = [words.fold(first, |a, b| reduce(op, a, b)); WARP];
        }
    }
    (values, holds)
}

fn reduce(op: CollectiveOp, a: u32, b: u32) -> u32 {
    match op {
        CollectiveOp::ReduxAdd => a.wrapping_add(b),
        CollectiveOp::ReduxMinU => a.min(b),
        CollectiveOp::ReduxMaxU => a.max(b),
        CollectiveOp::ReduxMinS => (a as i32).min(b as i32) as u32,
        CollectiveOp::ReduxMaxS => (a as i32).max(b as i32) as u32,
        CollectiveOp::ReduxAnd => a & b,
        CollectiveOp::ReduxOr => a | b,
        CollectiveOp::ReduxMinF => f32::from_bits(a).min(f32::from_bits(b)).to_bits(),
        CollectiveOp::ReduxMaxF => f32::from_bits(a).max(f32::from_bits(b)).to_bits(),
        _ => a ^ b,
    }
}

/// PTX's own pseudocode for `shfl`: the lane read from, and whether it was in range.
fn shuffle_source(op: CollectiveOp, lane: u32, b: u32, c: u32) -> (usize, bool) {
    let bval = b & 0x1f;
    let cval = c & 0x1f;
    let segment = (c >> 8) & 0x1f;
    let max_lane = (lane & segment) | (cval & !segment);
    let min_lane = lane & segment;
    let (source, inside) = match op {
        CollectiveOp::ShflUp => {
            let source = lane.wrapping_sub(bval) as i32;
            (source as u32, source >= max_lane as i32)
        }
        CollectiveOp::ShflDown => (lane + bval, lane + bval <= max_lane),
        CollectiveOp::ShflBfly => (lane ^ bval, (lane ^ bval) <= max_lane),
        _ => {
            let source = min_lane | (bval & !segment);
            (source, source <= max_lane)
        }
    };
    (if inside { source as usize & 31 } else { lane as usize }, inside)
}
