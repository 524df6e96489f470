// and, or, xor and not on predicates; guards that are negated.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = (i > 4 && i < 20 ? 1 : 0) + (i <= 4 || i >= 28 ? 10 : 0) + (!(i % 2 == 0) ? 100 : 0)
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x, r;
    asm("{\n\t"
        ".reg .pred a, b, c, d; .reg .u32 m;\n\t"
        "setp.gt.u32 a, %1, 4; setp.lt.u32 b, %1, 20; setp.ge.u32 c, %1, 28;\n\t"
        "mov.u32 %0, 0;\n\t"
        "and.pred d, a, b; @d add.u32 %0, %0, 1;\n\t"
        "not.pred d, a; or.pred d, d, c; @d add.u32 %0, %0, 10;\n\t"
        "and.b32 m, %1, 1; setp.eq.u32 d, m, 0; @!d add.u32 %0, %0, 100;\n\t"
        "}"
        : "=&r"(r) : "r"(t));
    out[t] = r;
}
