//! Calls, recursion, `printf`, warp-wide operations.

use super::super::*;
use super::Bench;

const FACTORIAL: &str = "\
.func (.param .b32 r) f(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<5>;\n\
ld.param.u32 %r1, [n];\nmov.u32 %r4, 1;\nsetp.lt.u32 %p1, %r1, 2;\n@%p1 bra $D;\nsub.u32 %r2, %r1, 1;\n\
{\n.param .b32 p0;\nst.param.b32 [p0], %r2;\n.param .b32 q0;\ncall.uni (q0), f, (p0);\nld.param.b32 %r3, [q0];\n}\n\
mul.lo.u32 %r4, %r3, %r1;\n$D:\nst.param.b32 [r], %r4;\nret;\n}\n";

fn kernel(functions: &str, body: &str) -> String {
    format!(
        "{functions}.visible .entry k(.param .u64 k_out)\n{{\n.reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n.reg .b64 %out;\n\
         ld.param.u64 %out, [k_out];\nmov.u32 %r1, %tid.x;\n{body}\nmul.wide.u32 %rd1, %r1, 4;\nadd.s64 %rd2, %out, %rd1;\nst.global.u32 [%rd2], %r2;\nret;\n}}\n"
    )
}

#[test]
fn recursion_with_lanes_at_different_depths() {
    let body = "{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\ncall.uni (b), f, (a);\nld.param.b32 %r2, [b];\n}";
    let mut bench = Bench::new(&kernel(FACTORIAL, body), 10);
    bench.ok(1, 10, 3);
    let words: Vec<_> = (0..10).map(|i| bench.word(i)).collect();
    assert_eq!(words, [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880]);
}

#[test]
fn endless_recursion_overflows_the_stack() {
    let endless = FACTORIAL.replace("@%p1 bra $D;", "");
    let body = "{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\ncall.uni (b), f, (a);\nld.param.b32 %r2, [b];\n}";
    let mut bench = Bench::new(&kernel(&endless, body), 32);
    assert!(matches!(bench.run(1, 32, 1).fault.map(|f| f.kind), Some(FaultKind::StackOverflow { .. })));
}

#[test]
fn calls_through_pointers_part_the_lanes() {
    let functions = ".func (.param .b32 r) one(.param .b32 n)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [n];\nadd.u32 %r2, %r1, 100;\nst.param.b32 [r], %r2;\nret;\n}\n\
        .func (.param .b32 r) two(.param .b32 n)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [n];\nadd.u32 %r2, %r1, 200;\nst.param.b32 [r], %r2;\nret;\n}\n\
        .global .align 8 .u64 table[2] = {one, two};\n";
    let body = "and.b32 %r3, %r1, 1;\nmul.wide.u32 %rd3, %r3, 8;\nmov.u64 %rd4, table;\nadd.s64 %rd4, %rd4, %rd3;\nld.global.u64 %rd5, [%rd4];\n\
        {\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\nprototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (b), %rd5, (a), prototype_0;\nld.param.b32 %r2, [b];\n}";
    let mut bench = Bench::new(&kernel(functions, body), 4);
    bench.ok(1, 4, 1);
    assert_eq!([0, 1, 2, 3].map(|i| bench.word(i)), [100, 201, 102, 203]);
}

#[test]
fn print_reads_its_local_buffer() {
    let functions = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.global .align 1 .b8 text[9] = {37, 100, 32, 37, 46, 49, 102, 10, 0};\n";
    let body = ".local .align 8 .b8 depot[16];\nmov.u64 %rd3, depot;\ncvta.local.u64 %rd4, %rd3;\nadd.u32 %r3, %r1, 41;\nst.local.u32 [%rd3], %r3;\nmov.u64 %rd6, 0x3FF8000000000000;\nst.local.u64 [%rd3+8], %rd6;\n\
        mov.u64 %rd5, text;\n{\n.param .b64 a;\nst.param.b64 [a], %rd5;\n.param .b64 b;\nst.param.b64 [b], %rd4;\n.param .b32 c;\ncall.uni (c), vprintf, (a, b);\nld.param.b32 %r2, [c];\n}";
    let mut bench = Bench::new(&kernel(functions, body), 2);
    let report = bench.ok(1, 2, 1);
    assert_eq!(report.printf, "41 1.5\n42 1.5\n");
}

#[test]
fn a_shuffle_waits_for_lanes_on_another_path() {
    // Odd lanes take a detour; all name each other.
    let body = "and.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra $E;\nadd.u32 %r4, %r1, 1000;\nshfl.sync.bfly.b32 %r2, %r4, 1, 31, -1;\nbra $F;\n\
        $E:\nshfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\n$F:";
    let mut bench = Bench::new(&kernel("", body), 32);
    bench.ok(1, 32, 1);
    assert_eq!((bench.word(0), bench.word(1), bench.word(30)), (1001, 0, 1031));
}

#[test]
fn tiles_with_masks_of_their_own() {
    let body = "and.b32 %r3, %r1, 28;\nshl.b32 %r4, 15, %r3;\nshfl.sync.idx.b32 %r2|%p1, %r1, 2, 0x1c1f, %r4;\nvote.sync.ballot.b32 %r5, %p1, %r4;\nadd.u32 %r2, %r2, %r5;";
    let mut bench = Bench::new(&kernel("", body), 8);
    bench.ok(1, 8, 1);
    assert_eq!((bench.word(1), bench.word(5)), (2 + 0xf, 6 + 0xf0));
}
