//! Arithmetic at its edges. Values are PTX's rules, or an H200's where PTX leaves them open.

use super::Bench;

/// Runs one instruction on constants; the word it leaves in `%r1`.
fn word(body: &str) -> u32 {
    let mut bench = Bench::body(&format!("{body}\nst.global.u32 [%out], %r1;"), 1);
    bench.ok(1, 1, 1);
    bench.word(0)
}

fn double(body: &str) -> u64 {
    let mut bench = Bench::body(&format!("{body}\nst.global.u64 [%out], %rd1;"), 2);
    bench.ok(1, 1, 1);
    u64::from(bench.word(0)) | u64::from(bench.word(1)) << 32
}

#[test]
fn division_by_zero() {
    assert_eq!(word("mov.u32 %r2, 0;\ndiv.u32 %r1, 7, %r2;"), u32::MAX);
    assert_eq!(word("mov.u32 %r2, 0;\ndiv.s32 %r1, -7, %r2;"), u32::MAX);
    assert_eq!(word("mov.u32 %r2, 0;\nrem.u32 %r1, 7, %r2;"), u32::MAX);
    assert_eq!(word("mov.u32 %r2, -1;\ndiv.s32 %r1, -2147483648, %r2;"), 0x8000_0000);
    assert_eq!(double("mov.u64 %rd2, 0;\ndiv.s64 %rd1, 7, %rd2;"), u64::MAX);
}

#[test]
fn shifts_clamp() {
    assert_eq!(word("mov.u32 %r2, 32;\nshl.b32 %r1, 1, %r2;"), 0);
    assert_eq!(word("mov.u32 %r2, 100;\nshr.s32 %r1, -5, %r2;"), u32::MAX);
    assert_eq!(double("mov.u32 %r2, 64;\nshr.u64 %rd1, -1, %r2;"), 0);
    assert_eq!(word("shf.l.wrap.b32 %r1, 0x80000000, 1, 33;"), 3);
    assert_eq!(word("shf.r.clamp.b32 %r1, 5, 9, 40;"), 9);
}

#[test]
fn carries() {
    assert_eq!(word("add.cc.u32 %r2, -1, 1;\naddc.u32 %r1, 5, 0;"), 6);
    assert_eq!(word("sub.cc.u32 %r2, 0, 1;\nsubc.u32 %r1, 5, 0;"), 4);
    // The hardware's carry after a subtraction is the opposite of a borrow.
    assert_eq!(word("sub.cc.u32 %r2, 3, 1;\naddc.u32 %r1, 0, 0;"), 1);
}

#[test]
fn conversions() {
    assert_eq!(word("mov.f32 %f1, 0f40200000;\ncvt.rni.s32.f32 %r1, %f1;"), 2);
    assert_eq!(word("mov.f32 %f1, 0fC0200000;\ncvt.rzi.s32.f32 %r1, %f1;"), -2i32 as u32);
    assert_eq!(word("mov.f32 %f1, 0f7FC00000;\ncvt.rzi.s32.f32 %r1, %f1;"), 0);
    assert_eq!(word("mov.f32 %f1, 0f4F800000;\ncvt.rzi.s32.f32 %r1, %f1;"), i32::MAX as u32);
    assert_eq!(word("mov.u32 %r2, 300;\ncvt.sat.u8.u32 %r1, %r2;"), 255);
    assert_eq!(word("mov.u32 %r2, 200;\ncvt.s32.s8 %r1, %r2;"), -56i32 as u32);
    assert_eq!(word("cvt.rz.f32.s32 %f1, 16777219;\nmov.b32 %r1, %f1;"), 16777218f32.to_bits());
    assert_eq!(word("cvt.rn.f32.s32 %f1, 16777219;\nmov.b32 %r1, %f1;"), 16777220f32.to_bits());
    assert_eq!(word("mov.f32 %f1, 0f477FF000;\ncvt.rn.f16.f32 %h1, %f1;\ncvt.u32.u16 %r1, %h1;"), 0x7c00);
}

#[test]
fn rounding_and_not_a_number() {
    // 1 + 2^-24: a tie.
    let add = |mode: &str| word(&format!("add.{mode}.f32 %f1, 0f3F800000, 0f33800000;\nmov.b32 %r1, %f1;"));
    assert_eq!(
        [add("rn"), add("rz"), add("rm"), add("rp")],
        [0x3f80_0000, 0x3f80_0000, 0x3f80_0000, 0x3f80_0001]
    );
    assert_eq!(word("min.f32 %f1, 0f7FC00000, 0f3F800000;\nmov.b32 %r1, %f1;"), 0x3f80_0000);
    assert_eq!(word("min.NaN.f32 %f1, 0f7FC00000, 0f3F800000;\nmov.b32 %r1, %f1;"), 0x7fff_ffff);
    assert_eq!(word("add.f32 %f1, 0f7F800000, 0fFF800000;\nmov.b32 %r1, %f1;"), 0x7fff_ffff);
    assert_eq!(word("add.ftz.f32 %f1, 0f00000001, 0f80000000;\nmov.b32 %r1, %f1;"), 0);
    assert_eq!(word("mul.sat.f32 %f1, 0f40000000, 0f40000000;\nmov.b32 %r1, %f1;"), 0x3f80_0000);
}

#[test]
fn bits() {
    assert_eq!(word("prmt.b32 %r1, 0x33221100, 0xF7665544, 0xF765;"), 0xfff7_6655);
    assert_eq!(word("bfe.s32 %r1, 0xF0, 4, 4;"), u32::MAX);
    assert_eq!(word("bfi.b32 %r1, 0xFF, 0, 8, 4;"), 0xf00);
    assert_eq!(word("bfind.s32 %r1, -1;"), u32::MAX);
    assert_eq!(word("lop3.b32 %r1, 0xF0, 0xCC, 0xAA, 0x96;"), 0xf0 ^ 0xcc ^ 0xaa);
    assert_eq!(word("mov.b64 %rd2, {1, 2};\nmov.b64 {%r2, %r1}, %rd2;"), 2);
}
