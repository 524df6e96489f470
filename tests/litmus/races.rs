//! Races, barriers and initialisation, one rule of the page a test.

use warpgrade::model::{Options, Relation, Violation, VolatileRule};
use warpgrade::record::Severity;
use warpgrade::simt::{BarrierKind, Observer, Order, Scope, Space};

use crate::script::{Gpu, races};

fn gpu(blocks: u32, threads: u32) -> Gpu {
    Gpu::new(Options::default(), blocks, threads)
}

#[test]
fn a_barrier_orders_a_block_and_its_absence_is_a_race() {
    for barrier in [true, false] {
        let mut gpu = gpu(1, 64);
        for t in 0..64 {
            gpu.store_shared((0, t), 1, u64::from(t) * 4, t);
        }
        if barrier {
            gpu.barrier(0, 2);
        }
        for t in 0..64 {
            gpu.load_shared((0, t), 3, u64::from(63 - t) * 4);
        }
        let want: &[_] = if barrier { &[] } else { &[(3, 1, false)] };
        let found = races(&gpu.finish());
        assert_eq!(found, want);
    }
}

#[test]
fn inside_a_warp_it_is_a_race_of_its_own_severity() {
    let mut gpu = gpu(1, 32);
    gpu.store_shared((0, 0), 1, 0, 5);
    gpu.load_shared((0, 1), 2, 0);
    let findings = gpu.finish();
    assert_eq!(findings[0].severity, Severity::WithinWarp);
    assert_eq!(findings[0].relation, Relation::SameWarp);
}

#[test]
fn a_warp_barrier_orders_its_lanes_only() {
    let mut gpu = gpu(1, 64);
    gpu.store_shared((0, 0), 1, 0, 5);
    gpu.checker.warp_barrier(2, 0, 0, u32::MAX);
    gpu.load_shared((0, 31), 3, 0);
    assert_eq!(races(&gpu.checker.report().findings), []);
    gpu.load_shared((0, 32), 4, 0);
    assert_eq!(races(&gpu.finish()), [(4, 1, false)]);
}

#[test]
fn half_a_warp_can_meet_apart() {
    let mut gpu = gpu(1, 32);
    gpu.store_shared((0, 0), 1, 0, 5);
    gpu.checker.warp_barrier(2, 0, 0, 0xffff);
    gpu.load_shared((0, 15), 3, 0);
    assert_eq!(races(&gpu.checker.report().findings), []);
    gpu.load_shared((0, 16), 4, 0);
    assert_eq!(races(&gpu.finish()), [(4, 1, false)]);
}

#[test]
fn bytes_beside_each_other_do_not_race_and_overlaps_do() {
    let mut gpu = gpu(2, 1);
    let x = gpu.at("x", 0);
    gpu.store_as((0, 0), 1, Order::Weak, Scope::Sys, (Space::Global, x, 1), 1);
    gpu.store_as((1, 0), 2, Order::Weak, Scope::Sys, (Space::Global, x + 1, 1), 2);
    assert_eq!(races(&gpu.checker.report().findings), []);
    gpu.load_as((0, 0), 3, Order::Weak, Scope::Sys, (Space::Global, x, 2));
    assert_eq!(races(&gpu.finish()), [(3, 2, false)]);
}

#[test]
fn partial_overlap_is_never_morally_strong() {
    let mut gpu = gpu(2, 1);
    let x = gpu.at("x", 0);
    gpu.store_as((0, 0), 1, Order::Relaxed, Scope::Gpu, (Space::Global, x, 2), 1);
    gpu.load_as((1, 0), 2, Order::Relaxed, Scope::Gpu, (Space::Global, x, 4));
    let findings = gpu.finish();
    assert!(matches!(&findings[0].violation, Violation::Race(race) if race.partial_overlap));
}

#[test]
fn scopes_must_include_each_other() {
    for (a, b, blocks, racy) in [
        (Scope::Cta, Scope::Gpu, [0, 0], false),
        (Scope::Cta, Scope::Gpu, [0, 1], true),
        (Scope::Gpu, Scope::Cta, [0, 1], true),
        (Scope::Gpu, Scope::Sys, [0, 1], false),
    ] {
        let mut gpu = gpu(2, 2);
        let x = gpu.at("x", 0);
        gpu.add((blocks[0], 0), 1, Order::Relaxed, a, x, 1);
        gpu.add((blocks[1], 1), 2, Order::Relaxed, b, x, 1);
        assert_eq!(races(&gpu.finish()).len(), usize::from(racy), "{a:?} {b:?} {blocks:?}");
    }
}

#[test]
fn an_atomic_and_a_plain_access_race() {
    let mut gpu = gpu(2, 1);
    let x = gpu.at("x", 0);
    gpu.store((0, 0), 1, x, 1);
    gpu.add((0, 0), 2, Order::Relaxed, Scope::Gpu, x, 1);
    gpu.add((1, 0), 3, Order::Relaxed, Scope::Gpu, x, 1);
    assert_eq!(races(&gpu.finish()), [(3, 1, false)], "the plain store is not forgotten");
}

#[test]
fn volatile_counts_by_the_chosen_rule() {
    for (rule, want) in [(VolatileRule::Cuda, 1), (VolatileRule::Ptx, 0)] {
        let mut gpu = Gpu::new(Options { volatile: rule, ..Options::default() }, 2, 1);
        let (x, flag) = (gpu.at("x", 0), gpu.at("flag", 0));
        gpu.store((0, 0), 1, x, 7);
        gpu.fence((0, 0), 2, Scope::Gpu);
        gpu.store_as((0, 0), 3, Order::Volatile, Scope::Sys, (Space::Global, flag, 4), 1);
        gpu.load_as((1, 0), 4, Order::Volatile, Scope::Sys, (Space::Global, flag, 4));
        gpu.fence((1, 0), 5, Scope::Gpu);
        gpu.load((1, 0), 6, x);
        let found = races(&gpu.finish());
        assert_eq!(found.len(), want, "{found:?}");
        assert!(found.iter().all(|r| (r.0, r.1) == (4, 3)), "the data itself is ordered");
    }
}

#[test]
fn equal_values_are_a_note() {
    let mut gpu = gpu(2, 1);
    let x = gpu.at("x", 0);
    gpu.store((0, 0), 1, x, 1);
    gpu.store((1, 0), 1, x, 1);
    let findings = gpu.finish();
    assert_eq!(findings[0].severity, Severity::Note);
    let mut other = self::gpu(2, 1);
    other.store((0, 0), 1, x, 1);
    other.store((1, 0), 1, x, 2);
    assert_eq!(other.finish()[0].severity, Severity::Error);
}

#[test]
fn a_launch_boundary_orders_everything() {
    let mut gpu = gpu(2, 1);
    let x = gpu.at("x", 0);
    gpu.store((0, 0), 1, x, 1);
    gpu.finish();
    gpu.start();
    gpu.load((1, 0), 2, x);
    assert_eq!(races(&gpu.finish()), []);
}

#[test]
fn named_barriers_order_those_who_meet_there() {
    let mut gpu = gpu(1, 96);
    gpu.store_shared((0, 0), 1, 0, 5);
    gpu.arrive(0, 2, 1, 0..32, BarrierKind::Arrive, Some(64));
    gpu.arrive(0, 3, 1, 32..64, BarrierKind::Sync, Some(64));
    gpu.checker.barrier_completed(0, 1);
    gpu.load_shared((0, 40), 4, 0);
    assert_eq!(races(&gpu.checker.report().findings), []);
    gpu.load_shared((0, 70), 5, 0);
    // The producer only arrived: it knows nothing of the consumer's reads.
    gpu.store_shared((0, 1), 6, 0, 6);
    assert_eq!(races(&gpu.finish()), [(5, 1, false), (6, 1, false), (6, 4, false), (6, 5, false)]);
}

#[test]
fn barriers_at_two_places_diverge() {
    let mut gpu = gpu(1, 64);
    gpu.arrive(0, 7, 0, 0..32, BarrierKind::Sync, None);
    gpu.arrive(0, 8, 0, 32..64, BarrierKind::Sync, None);
    gpu.checker.barrier_completed(0, 0);
    let findings = gpu.finish();
    assert!(matches!(findings[0].violation, Violation::DivergentBarrier { deadlock: false }));
    assert_eq!(
        (findings[0].first.site, findings[0].second.as_ref().and_then(|s| s.site)),
        (Some(8), Some(7))
    );
}

#[test]
fn threads_that_left_are_missed_at_the_barrier() {
    for (before, early) in [(false, true), (true, false)] {
        let mut gpu = gpu(1, 64);
        if before {
            gpu.barrier(0, 5);
        }
        gpu.checker.threads_exited(6, 0, 1, u32::MAX);
        gpu.arrive(0, 7, 0, 0..32, BarrierKind::Sync, None);
        gpu.checker.barrier_completed(0, 0);
        let findings = gpu.finish();
        assert_eq!(findings[0].violation, Violation::BarrierSkipped { missing: 32, early });
        assert_eq!(findings[0].second.as_ref().and_then(|s| s.site), Some(6));
    }
}

#[test]
fn shared_memory_begins_empty_with_every_block() {
    let mut gpu = gpu(1, 2);
    gpu.store_shared((0, 0), 1, 0, 5);
    gpu.load_shared((0, 0), 2, 0);
    assert_eq!(gpu.checker.report().findings.len(), 0);
    gpu.load_shared((0, 0), 3, 4);
    let findings = gpu.finish();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].violation, Violation::Uninitialised { bytes: 4, copying: false });
}

#[test]
fn fresh_global_bytes_are_uninitialised_until_written() {
    let mut gpu = gpu(1, 1);
    let x = gpu.at("x", 0);
    gpu.checker.uninitialised(x, 16);
    gpu.load((0, 0), 1, x + 16);
    gpu.store((0, 0), 2, x, 1);
    gpu.load((0, 0), 3, x);
    assert_eq!(gpu.checker.report().findings.len(), 0);
    gpu.load((0, 0), 4, x + 4);
    assert_eq!(gpu.finish().len(), 1);
}

#[test]
fn a_lock_orders_its_critical_sections() {
    for fenced in [true, false] {
        let mut gpu = gpu(3, 1);
        let (x, lock) = (gpu.at("x", 0), gpu.at("flag", 0));
        for block in 0..3 {
            let thread = (block, 0);
            gpu.modify(thread, 1, Order::Relaxed, Scope::Gpu, lock, |old| (old == 0).then_some(1));
            if fenced {
                gpu.fence(thread, 2, Scope::Gpu);
            }
            let value = gpu.load(thread, 3, x);
            gpu.store(thread, 4, x, value + 1);
            if fenced {
                gpu.fence(thread, 5, Scope::Gpu);
            }
            gpu.modify(thread, 6, Order::Relaxed, Scope::Gpu, lock, |_| Some(0));
        }
        let findings = gpu.finish();
        assert_eq!(races(&findings).is_empty(), fenced, "{:?}", races(&findings));
    }
}

#[test]
fn a_block_fence_serves_its_own_block() {
    let mut gpu = gpu(2, 64);
    let (x, flag) = (gpu.at("x", 0), gpu.at("flag", 0));
    gpu.store((0, 0), 1, x, 7);
    gpu.fence((0, 0), 2, Scope::Cta);
    gpu.add((0, 0), 3, Order::Relaxed, Scope::Cta, flag, 1);
    gpu.add((0, 40), 4, Order::Relaxed, Scope::Cta, flag, 1);
    gpu.fence((0, 40), 5, Scope::Cta);
    gpu.load((0, 40), 6, x);
    assert_eq!(races(&gpu.finish()), []);
}
