//! What an observer is told.

use super::super::*;
use super::Bench;

/// Writes down every event.
#[derive(Default)]
struct Log {
    events: Vec<String>,
    split: Option<Site>,
}

impl Observer for Log {
    const ENABLED: bool = true;

    fn splits(&self, site: Site) -> bool {
        self.split == Some(site)
    }

    fn load(&mut self, access: &Access, _memory: &GlobalMemory, _shared: &[u8], loaded: &mut Loaded) {
        self.events.push(format!("load {:?} {:#x} {}", access.space, access.mask, access.bytes));
        if access.space == Space::Shared {
            loaded.bytes[0][0] = 77;
        }
    }

    fn store(&mut self, access: &Access, memory: &GlobalMemory, _shared: &[u8], stored: &Loaded) {
        let old = memory.slice(access.addresses[0], 1).map_or(0, |b| b[0]);
        let shape = match access.shape {
            Shape::Uniform => "uniform",
            Shape::Consecutive { .. } => "consecutive",
            Shape::Scattered => "scattered",
        };
        let first = access.mask.trailing_zeros() as usize;
        self.events
            .push(format!("store {:?} {shape} old {old} new {}", access.space, stored.bytes[first][0]));
    }

    fn atomic(&mut self, access: &Access, _memory: &GlobalMemory, _shared: &[u8]) -> AtomicRead {
        self.events.push(format!("atomic {:?} {:?} {:?}", access.order, access.scope, access.kind));
        AtomicRead::Ask
    }

    fn atomic_reads(&mut self, _access: &Access, lane: u32, newest: u128) -> u128 {
        newest + u128::from(lane) * 10
    }

    fn atomic_performed(&mut self, _access: &Access, wrote: u32, lane_order: &[u8]) {
        self.events.push(format!("performed {wrote:#x} {}", lane_order.len()));
    }

    fn fence(&mut self, _site: Site, _block: u32, warp: u32, mask: u32, order: FenceOrder, scope: Scope) {
        self.events.push(format!("fence {warp} {mask:#x} {order:?} {scope:?}"));
    }

    fn barrier_arrived(&mut self, arrival: &BarrierArrival) {
        self.events.push(format!("arrived {} {:?}", arrival.warp, arrival.kind));
    }

    fn barrier_completed(&mut self, _block: u32, id: u32) {
        self.events.push(format!("completed {id}"));
    }

    fn warp_barrier(&mut self, _site: Site, _block: u32, _warp: u32, mask: u32) {
        self.events.push(format!("warp barrier {mask:#x}"));
    }

    fn threads_exited(&mut self, _site: Site, _block: u32, _warp: u32, mask: u32) {
        self.events.push(format!("exited {mask:#x}"));
    }
}

#[test]
fn events_come_in_order() {
    let body = ".shared .align 4 .b8 tile[16];\nmov.u32 %r1, %tid.x;\nst.global.u32 [%out], 5;\nld.shared.u32 %r2, [tile];\nst.global.u32 [%out+4], %r2;\n\
        fence.sc.gpu;\natom.add.acq_rel.cta.u32 %r3, [%out], 1;\nbar.sync 0;\nbar.warp.sync 1;";
    let mut bench = Bench::body(body, 2);
    let mut log = Log::default();
    let report = bench.watch(1, 1, 1, &mut log);
    assert_eq!(report.fault, None);
    assert_eq!(
        log.events,
        [
            "store Global consecutive old 0 new 5",
            "load Shared 0x1 4",
            "store Global consecutive old 0 new 77",
            "fence 0 0x1 SeqCst Gpu",
            "atomic AcqRel Cta Atomic { reduction: false, form: Update }",
            "performed 0x1 1",
            "arrived 0 Sync",
            "completed 0",
            "warp barrier 0x1",
            "exited 0x1",
        ]
    );
    assert_eq!(bench.word(0), 6);
}

#[test]
fn an_atomic_can_be_made_to_read_an_old_value() {
    let mut bench = Bench::body("atom.global.add.u32 %r1, [%out], 1;", 1);
    let mut log = Log::default();
    bench.watch(1, 2, 1, &mut log);
    // Whatever the order of the lanes, lane 1 adds to a value 10 larger than the newest.
    assert_eq!(bench.word(0), 12);
}

#[test]
fn lanes_drift_apart_where_asked() {
    // In lockstep, the shared word is 1 when every lane reads it.
    let body = ".shared .align 4 .b8 tile[128];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 4;\nmov.u64 %rd2, tile;\nadd.s64 %rd3, %rd2, %rd1;\n\
        st.shared.u32 [%rd3], 1;\nxor.b32 %r2, %r1, 1;\nmul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd5, %rd2, %rd4;\nld.shared.u32 %r3, [%rd5];\n\
        add.s64 %rd6, %out, %rd1;\nst.global.u32 [%rd6], %r3;";
    let missed = |split: bool, seed| {
        let mut bench = Bench::body(body, 32);
        let program = bench.image.program();
        let site = (0..program.sites()).find(|&s| program.text(s).starts_with("st.shared"));
        let mut log = Log { split: if split { site } else { None }, ..Log::default() };
        bench.watch(1, 32, seed, &mut log);
        (0..32).filter(|&i| bench.word(i).is_multiple_of(256)).count()
    };
    assert_eq!((0..8).map(|seed| missed(false, seed)).sum::<usize>(), 0);
    assert!((0..8).map(|seed| missed(true, seed)).sum::<usize>() > 8);
}
