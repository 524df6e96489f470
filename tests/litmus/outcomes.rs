//! Litmus tests: every interleaving of small programs, with the adversary choosing among old values.
//!
//! Allowed outcomes are those of the PTX model (Lustig et al., ASPLOS 2019, section 5; PTX 8.10). The checker may
//! produce fewer than PTX allows, never more; message passing without fences must show its weak outcome.

use std::collections::BTreeSet;

use warpgrade::model::{Adversary, Options, VolatileRule};
use warpgrade::simt::{Order, Scope, Space};

use crate::script::Gpu;

/// One instruction of a litmus program, on location `x`, `y` or `z` (0 to 2).
#[derive(Debug, Clone, Copy)]
enum Op {
    Store(usize, u32, How),
    Load(usize, How),
    Fence(Scope),
}

#[derive(Debug, Clone, Copy)]
enum How {
    Weak,
    Volatile,
    Relaxed,
    Ordered,
    BlockRelaxed,
}

use How::{BlockRelaxed, Ordered, Relaxed, Volatile, Weak};
use Op::{Fence, Load, Store};

const F: Op = Fence(Scope::Gpu);

impl How {
    fn store(self) -> (Order, Scope) {
        match self {
            Weak => (Order::Weak, Scope::Sys),
            Volatile => (Order::Volatile, Scope::Sys),
            Relaxed => (Order::Relaxed, Scope::Gpu),
            Ordered => (Order::Release, Scope::Gpu),
            BlockRelaxed => (Order::Relaxed, Scope::Cta),
        }
    }

    fn load(self) -> (Order, Scope) {
        match self {
            Ordered => (Order::Acquire, Scope::Gpu),
            other => other.store(),
        }
    }
}

/// Everything that the program's loads can return (thread by thread, in program order), each thread a block.
fn outcomes(program: &[&[Op]]) -> BTreeSet<Vec<u32>> {
    executions(program).into_iter().map(|(read, _)| read).collect()
}

/// The same, each with what `x` and `y` hold in the end.
fn executions(program: &[&[Op]]) -> BTreeSet<(Vec<u32>, [u32; 2])> {
    let mut found = BTreeSet::new();
    let mut adversaries = vec![Adversary::Off, Adversary::Oldest];
    adversaries.extend((0..6).map(Adversary::Random));
    for order in interleavings(program) {
        for &adversary in &adversaries {
            for volatile in [VolatileRule::Cuda, VolatileRule::Ptx] {
                let options = Options { adversary, volatile, ..Options::default() };
                found.insert(run(program, &order, options));
            }
        }
    }
    found
}

fn run(program: &[&[Op]], order: &[usize], options: Options) -> (Vec<u32>, [u32; 2]) {
    let mut gpu = Gpu::new(options, program.len() as u32, 1);
    let places = ["x", "y", "z"].map(|name| gpu.at(name, 0));
    let mut next = vec![0; program.len()];
    let mut read = vec![Vec::new(); program.len()];
    for &t in order {
        let thread = (t as u32, 0);
        let site = (t * 10 + next[t]) as u32;
        match program[t][next[t]] {
            Store(place, value, how) => {
                let (order, scope) = how.store();
                gpu.store_as(thread, site, order, scope, (Space::Global, places[place], 4), value);
            }
            Load(place, how) => {
                let (order, scope) = how.load();
                let value = gpu.load_as(thread, site, order, scope, (Space::Global, places[place], 4));
                read[t].push(value);
            }
            Fence(scope) => gpu.fence(thread, site, scope),
        }
        next[t] += 1;
    }
    let last = [0, 1].map(|i| {
        let bytes = gpu.memory.slice(places[i], 4).expect("in bounds");
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    });
    (read.concat(), last)
}

/// All orders in which the threads can take turns.
fn interleavings(program: &[&[Op]]) -> Vec<Vec<usize>> {
    fn extend(left: &mut [usize], order: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if left.iter().all(|&n| n == 0) {
            all.push(order.clone());
            return;
        }
        for t in 0..left.len() {
            if left[t] > 0 {
                left[t] -= 1;
                order.push(t);
                extend(left, order, all);
                order.pop();
                left[t] += 1;
            }
        }
    }
    let mut left: Vec<usize> = program.iter().map(|ops| ops.len()).collect();
    let mut all = Vec::new();
    extend(&mut left, &mut Vec::new(), &mut all);
    all
}

#[track_caller]
fn never(program: &[&[Op]], forbidden: &[u32]) {
    let found = outcomes(program);
    assert!(!found.contains(forbidden), "{forbidden:?} is forbidden, found {found:?}");
    assert!(found.len() > 1, "the schedules give more than one outcome: {found:?}");
}

#[track_caller]
fn reached(program: &[&[Op]], weak: &[u32]) {
    let found = outcomes(program);
    assert!(found.contains(weak), "{weak:?} is allowed and must be reached, found {found:?}");
}

#[test]
fn message_passing_without_fences_shows_the_weak_outcome() {
    for flag in [Weak, Volatile, Relaxed] {
        let program: [&[Op]; 2] = [&[Store(0, 1, Weak), Store(1, 1, flag)], &[Load(1, flag), Load(0, Weak)]];
        reached(&program, &[1, 0]);
    }
    let data: [&[Op]; 2] =
        [&[Store(0, 1, Volatile), Store(1, 1, Volatile)], &[Load(1, Volatile), Load(0, Volatile)]];
    reached(&data, &[1, 0]);
}

#[test]
fn message_passing_with_one_fence_is_still_weak() {
    reached(&[&[Store(0, 1, Weak), F, Store(1, 1, Relaxed)], &[Load(1, Relaxed), Load(0, Weak)]], &[1, 0]);
    reached(&[&[Store(0, 1, Weak), Store(1, 1, Relaxed)], &[Load(1, Relaxed), F, Load(0, Weak)]], &[1, 0]);
    reached(&[&[Store(0, 1, Weak), Store(1, 1, Relaxed), F], &[Load(1, Relaxed), Load(0, Weak)]], &[1, 0]);
}

#[test]
fn message_passing_with_fences_is_ordered() {
    for flag in [Weak, Volatile, Relaxed] {
        let program: [&[Op]; 2] =
            [&[Store(0, 1, Weak), F, Store(1, 1, flag)], &[Load(1, flag), F, Load(0, Weak)]];
        never(&program, &[1, 0]);
    }
    never(&[&[Store(0, 1, Weak), Store(1, 1, Ordered)], &[Load(1, Ordered), Load(0, Weak)]], &[1, 0]);
}

#[test]
fn message_passing_with_narrow_fences_or_flags_is_weak() {
    let block = Fence(Scope::Cta);
    let fences: [&[Op]; 2] =
        [&[Store(0, 1, Weak), block, Store(1, 1, Relaxed)], &[Load(1, Relaxed), block, Load(0, Weak)]];
    reached(&fences, &[1, 0]);
    let flags: [&[Op]; 2] = [
        &[Store(0, 1, Weak), Fence(Scope::Cta), Store(1, 1, BlockRelaxed)],
        &[Load(1, BlockRelaxed), Fence(Scope::Cta), Load(0, Weak)],
    ];
    reached(&flags, &[1, 0]);
}

#[test]
fn store_buffering() {
    reached(&[&[Store(0, 1, Weak), Load(1, Weak)], &[Store(1, 1, Weak), Load(0, Weak)]], &[0, 0]);
    for how in [Weak, Volatile, Relaxed] {
        let fenced: [&[Op]; 2] = [&[Store(0, 1, how), F, Load(1, how)], &[Store(1, 1, how), F, Load(0, how)]];
        never(&fenced, &[0, 0]);
    }
}

#[test]
fn load_buffering_never_reads_what_was_not_yet_written() {
    for how in [Weak, Relaxed] {
        let program: [&[Op]; 2] = [&[Load(0, how), Store(1, 1, how)], &[Load(1, how), Store(0, 1, how)]];
        never(&program, &[1, 1]);
    }
}

#[test]
fn independent_reads_of_independent_writes() {
    let writers: [&[Op]; 2] = [&[Store(0, 1, Weak)], &[Store(1, 1, Weak)]];
    let weak: [&[Op]; 4] =
        [writers[0], writers[1], &[Load(0, Weak), Load(1, Weak)], &[Load(1, Weak), Load(0, Weak)]];
    reached(&weak, &[1, 0, 1, 0]);
    for how in [Volatile, Relaxed] {
        let x: &[Op] = &[Store(0, 1, how)];
        let y: &[Op] = &[Store(1, 1, how)];
        let r: &[Op] = &[Load(0, how), F, Load(1, how)];
        let s: &[Op] = &[Load(1, how), F, Load(0, how)];
        never(&[x, y, r, s], &[1, 0, 1, 0]);
    }
}

#[test]
fn two_writes_twice_end_with_one_threads_last_write() {
    for how in [Weak, Relaxed] {
        let x_first: &[Op] = &[Store(0, 2, how), F, Store(1, 1, how)];
        let y_first: &[Op] = &[Store(1, 2, how), F, Store(0, 1, how)];
        let last: BTreeSet<[u32; 2]> = executions(&[x_first, y_first]).into_iter().map(|(_, l)| l).collect();
        assert_eq!(last, BTreeSet::from([[1, 1], [1, 2], [2, 1]]));
    }
}

#[test]
fn coherence_of_reads_and_writes() {
    // Read-read: no step back in time.
    for how in [Weak, Volatile, Relaxed] {
        never(&[&[Store(0, 1, how), Store(0, 2, how)], &[Load(0, how), Load(0, how)]], &[2, 1]);
        never(&[&[Store(0, 1, how)], &[Load(0, how), Load(0, how)]], &[1, 0]);
    }
    // Write-read: a thread never misses its own write.
    let own = outcomes(&[&[Store(0, 1, Weak), Load(0, Weak)], &[Store(0, 2, Weak)]]);
    assert_eq!(own, BTreeSet::from([vec![1], vec![2]]));
    // Read-write: nor reads its own later one.
    let later = outcomes(&[&[Load(0, Weak), Store(0, 1, Weak)], &[Store(0, 2, Weak)]]);
    assert_eq!(later, BTreeSet::from([vec![0], vec![2]]));
}

#[test]
fn write_to_read_causality_passes_through_a_third_thread() {
    let program: [&[Op]; 3] = [
        &[Store(0, 1, Weak), F, Store(1, 1, Relaxed)],
        &[Load(1, Relaxed), F, Store(2, 1, Relaxed)],
        &[Load(2, Relaxed), F, Load(0, Weak)],
    ];
    never(&program, &[1, 1, 0]);
}
