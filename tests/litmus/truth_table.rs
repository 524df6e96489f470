//! The ticket's truth table, event by event: what block 0 does before its ticket, what block 1 does after it.

use warpgrade::model::{Adversary, Options, RawFinding};
use warpgrade::simt::{Order, Scope};

use crate::script::{Gpu, Thread, races};

const PRODUCER: Thread = (0, 0);
const CONSUMER: Thread = (1, 0);
const STORE: u32 = 1;
const FENCE: u32 = 2;
const TICKET: u32 = 3;
const LATE_FENCE: u32 = 4;
const CONSUMER_FENCE: u32 = 5;
const READ: u32 = 6;

#[derive(Clone, Copy)]
struct Row {
    before: Option<Scope>,
    order: Order,
    ticket: Scope,
    after: bool,
    consumer: bool,
}

const ROW: Row = Row {
    before: Some(Scope::Gpu),
    order: Order::Relaxed,
    ticket: Scope::Gpu,
    after: false,
    consumer: false,
};

/// Runs a row; the findings and what the last block read.
fn run(row: Row, options: Options) -> (Vec<RawFinding>, u32) {
    let mut gpu = Gpu::new(options, 2, 1);
    let (x, counter) = (gpu.at("x", 0), gpu.at("counter", 0));
    gpu.store(PRODUCER, STORE, x, 7);
    if let Some(scope) = row.before {
        gpu.fence(PRODUCER, FENCE, scope);
    }
    gpu.add(PRODUCER, TICKET, row.order, row.ticket, counter, 1);
    if row.after {
        gpu.fence(PRODUCER, LATE_FENCE, Scope::Gpu);
    }
    gpu.add(CONSUMER, TICKET, row.order, row.ticket, counter, 1);
    if row.consumer {
        gpu.fence(CONSUMER, CONSUMER_FENCE, Scope::Gpu);
    }
    let value = gpu.load(CONSUMER, READ, x);
    (gpu.finish(), value)
}

fn nasty() -> Options {
    Options { adversary: Adversary::Oldest, ..Options::default() }
}

#[track_caller]
fn expect(row: Row, want: &[(u32, u32, bool)], value: u32) {
    let (findings, got) = run(row, nasty());
    assert_eq!(races(&findings), want);
    assert_eq!(got, value);
    let (findings, newest) = run(row, Options::default());
    assert_eq!(races(&findings), want, "the adversary only changes values");
    assert_eq!(newest, 7);
}

#[test]
fn fence_on_both_sides_is_defined() {
    expect(Row { consumer: true, ..ROW }, &[], 7);
}

#[test]
fn no_consumer_fence_is_a_note() {
    expect(ROW, &[(READ, STORE, true)], 7);
}

#[test]
fn no_fence_is_a_race_and_reads_an_old_value() {
    expect(Row { before: None, ..ROW }, &[(READ, STORE, false)], 0);
}

#[test]
fn a_consumer_fence_alone_does_not_help() {
    expect(Row { before: None, consumer: true, ..ROW }, &[(READ, STORE, false)], 0);
}

#[test]
fn a_fence_after_the_announcement_is_a_race() {
    let row = Row { before: None, after: true, ..ROW };
    expect(row, &[(READ, STORE, false)], 0);
    let (findings, _) = run(row, nasty());
    let evidence = &findings[0].evidence;
    let (announced, observed) = evidence.handoff.expect("the ticket was observed");
    assert_eq!(evidence.earlier[announced].site, TICKET);
    assert_eq!(evidence.later[observed].site, TICKET);
    assert!(evidence.earlier[announced + 1..].iter().any(|e| e.site == LATE_FENCE));
}

#[test]
fn a_block_fence_is_too_narrow() {
    expect(Row { before: Some(Scope::Cta), ..ROW }, &[(READ, STORE, false)], 0);
}

#[test]
fn a_system_fence_is_wide_enough() {
    expect(Row { before: Some(Scope::Sys), consumer: true, ..ROW }, &[], 7);
}

#[test]
fn a_block_ticket_is_a_race_on_the_ticket() {
    let row = Row { ticket: Scope::Cta, ..ROW };
    let (findings, _) = run(row, Options::default());
    assert!(races(&findings).contains(&(TICKET, TICKET, false)));
    let mut gpu = Gpu::new(nasty(), 2, 1);
    let counter = gpu.at("counter", 0);
    let first = gpu.add(PRODUCER, TICKET, Order::Relaxed, Scope::Cta, counter, 1);
    let second = gpu.add(CONSUMER, TICKET, Order::Relaxed, Scope::Cta, counter, 1);
    assert_eq!((first, second), (0, 0), "two blocks drew one ticket");
}

#[test]
fn acq_rel_needs_no_fence_and_gives_no_note() {
    expect(Row { before: None, order: Order::AcqRel, ..ROW }, &[], 7);
}

#[test]
fn acquire_alone_publishes_nothing() {
    expect(Row { before: None, order: Order::Acquire, ..ROW }, &[(READ, STORE, false)], 0);
}

#[test]
fn release_alone_lacks_the_consumers_side() {
    expect(Row { before: None, order: Order::Release, ..ROW }, &[(READ, STORE, true)], 7);
}

#[test]
fn the_hand_off_reaches_other_threads_through_a_barrier() {
    for fence in [false, true] {
        let mut gpu = Gpu::new(nasty(), 2, 64);
        let (x, counter) = (gpu.at("x", 0), gpu.at("counter", 0));
        for thread in 0..64 {
            gpu.store((0, thread), STORE, x + u64::from(thread) * 4, 7);
        }
        gpu.barrier(0, 10);
        if fence {
            gpu.fence(PRODUCER, FENCE, Scope::Gpu);
        }
        gpu.add(PRODUCER, TICKET, Order::Relaxed, Scope::Gpu, counter, 1);
        gpu.add(CONSUMER, TICKET, Order::Relaxed, Scope::Gpu, counter, 1);
        gpu.fence(CONSUMER, CONSUMER_FENCE, Scope::Gpu);
        gpu.barrier(1, 11);
        let values: Vec<u32> = (0..64).map(|t| gpu.load((1, t), READ, x + u64::from(63 - t) * 4)).collect();
        let findings = gpu.finish();
        if fence {
            assert_eq!(races(&findings), []);
            assert!(values.iter().all(|&v| v == 7));
        } else {
            assert_eq!(races(&findings), [(READ, STORE, false)]);
            assert!(values.iter().all(|&v| v == 0));
        }
    }
}

#[test]
fn a_chain_of_tickets_carries_every_blocks_release() {
    let mut gpu = Gpu::new(nasty(), 40, 1);
    let (x, counter) = (gpu.at("x", 0), gpu.at("counter", 0));
    for block in 0..40 {
        gpu.store((block, 0), STORE, x + u64::from(block) * 4, block);
        gpu.fence((block, 0), FENCE, Scope::Gpu);
        gpu.add((block, 0), TICKET, Order::Relaxed, Scope::Gpu, counter, 1);
    }
    gpu.fence((39, 0), CONSUMER_FENCE, Scope::Gpu);
    for block in 0..40 {
        assert_eq!(gpu.load((39, 0), READ, x + u64::from(block) * 4), block);
    }
    assert_eq!(races(&gpu.finish()), []);
}

#[test]
fn a_plain_store_breaks_the_chain() {
    let mut gpu = Gpu::new(Options::default(), 3, 1);
    let (x, flag) = (gpu.at("x", 0), gpu.at("flag", 0));
    gpu.store((0, 0), STORE, x, 7);
    gpu.fence((0, 0), FENCE, Scope::Gpu);
    gpu.add((0, 0), TICKET, Order::Relaxed, Scope::Gpu, flag, 1);
    gpu.store((2, 0), 9, flag, 1);
    gpu.add((1, 0), TICKET, Order::AcqRel, Scope::Gpu, flag, 1);
    gpu.load((1, 0), READ, x);
    assert!(races(&gpu.finish()).contains(&(READ, STORE, false)));
}
