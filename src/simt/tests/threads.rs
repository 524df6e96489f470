//! Divergence, barriers, waiting.

use super::super::*;
use super::Bench;

/// Takes a lock with every thread and adds one without an atomic.
const LOCK: &str = "\
$L1:\natom.global.cas.b32 %r1, [%out], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $L1;\n\
ld.volatile.global.u32 %r2, [%out+4];\nadd.u32 %r2, %r2, 1;\nst.volatile.global.u32 [%out+4], %r2;\n\
membar.gl;\natom.global.exch.b32 %r3, [%out], 0;";

#[test]
fn a_spin_lock_inside_a_warp_makes_progress() {
    for seed in 0..8 {
        let mut bench = Bench::body(LOCK, 2);
        bench.ok(3, 96, seed);
        assert_eq!(bench.word(1), 3 * 96);
    }
}

#[test]
fn a_lock_that_is_never_released_is_no_progress() {
    let mut bench = Bench::body(
        "$L1:\natom.global.cas.b32 %r1, [%out], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $L1;",
        1,
    );
    let fault = bench.run(2, 32, 1).fault.expect("a fault");
    assert_eq!(fault.kind, FaultKind::NoProgress);
}

#[test]
fn a_branch_to_itself_is_no_progress() {
    let mut bench = Bench::body("$L1:\nbra $L1;", 1);
    assert_eq!(bench.run(1, 32, 1).fault.map(|f| f.kind), Some(FaultKind::NoProgress));
}

#[test]
fn a_long_count_is_not_endless() {
    let mut bench = Bench::body(
        "mov.u32 %r1, 0;\n$L1:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 100000;\n@%p1 bra $L1;\nst.global.u32 [%out], %r1;",
        1,
    );
    bench.ok(1, 1, 1);
    assert_eq!(bench.word(0), 100_000);
    let mut bench = Bench::body(
        "mov.u32 %r1, 0;\n$L1:\nadd.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $L1;",
        1,
    );
    assert!(matches!(bench.run(1, 1, 1).fault.map(|f| f.kind), Some(FaultKind::StepBudget { .. })));
}

#[test]
fn blocks_wait_for_each_other_beyond_the_resident_ones() {
    // A grid barrier of 100 blocks, 32 of which are resident at first.
    let body = "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $L2;\n\
        atom.add.release.gpu.global.u32 %r2, [%out], 1;\n$L1:\nld.acquire.gpu.global.u32 %r3, [%out];\n\
        setp.lt.u32 %p2, %r3, 100;\n@%p2 bra $L1;\n$L2:\nbar.sync 0;\nred.global.add.u32 [%out+4], 1;";
    let mut bench = Bench::body(body, 2);
    bench.ok(100, 64, 5);
    assert_eq!(bench.word(1), 6400);
}

#[test]
fn a_barrier_that_some_never_reach_is_a_deadlock() {
    let body =
        "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 31;\n@%p1 bra $L1;\nbar.sync 1;\n$L1:\nbar.sync 0;";
    let mut bench = Bench::body(body, 1);
    match bench.run(1, 64, 1).fault.map(|f| f.kind) {
        Some(FaultKind::Deadlock { waiting }) => {
            let mut at: Vec<_> = waiting.iter().map(|w| (w.warp, w.barrier)).collect();
            at.sort_unstable();
            assert_eq!(at, [(0, Some(1)), (1, Some(0))]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn exited_threads_are_not_waited_for() {
    let body = "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 40;\n@%p1 exit;\nbar.sync 0;\nred.global.add.u32 [%out], 1;";
    let mut bench = Bench::body(body, 1);
    bench.ok(1, 96, 1);
    assert_eq!(bench.word(0), 41);
}

#[test]
fn the_same_seed_gives_the_same_execution() {
    let body = "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.u32 %r3, %r1, 64, %r2;\natom.global.add.u32 %r4, [%out], 1;\n\
        mul.wide.u32 %rd1, %r4, 4;\nadd.s64 %rd2, %out, %rd1;\nst.global.u32 [%rd2+4], %r3;";
    let run = |seed| {
        let mut bench = Bench::body(body, 641);
        bench.ok(10, 64, seed);
        (1..641).map(|i| bench.word(i)).collect::<Vec<_>>()
    };
    assert_eq!(run(9), run(9));
    assert_ne!(run(9), run(10));
}
