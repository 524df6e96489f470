//! Spaces, bounds, constants.

use super::super::*;
use super::Bench;

#[test]
fn a_warp_stores_its_lanes() {
    let mut bench = Bench::body(
        "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 4;\nadd.s64 %rd2, %out, %rd1;\nst.global.u32 [%rd2], %r1;",
        100,
    );
    bench.ok(1, 100, 1);
    assert_eq!((0..100).map(|i| bench.word(i)).collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
}

#[test]
fn past_the_end_is_named() {
    let mut bench = Bench::body(
        "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 4;\nadd.s64 %rd2, %out, %rd1;\nst.global.u32 [%rd2+4], %r1;",
        64,
    );
    let fault = bench.run(1, 64, 1).fault.expect("a fault");
    let expected = FaultKind::OutOfBounds {
        what: "store",
        variable: Some("out".to_owned()),
        offset: 256,
        size: 256,
        element: 4,
        bytes: 4,
        space: "global",
    };
    assert_eq!(fault.kind, expected);
    assert_eq!(fault.thread, Some((0, 63)));
    assert_eq!(bench.image.program().text(fault.site.expect("a site")), "st.global.u32 [%rd2+4], %r1");
}
