// Registers and labels of the same names in several assembly blocks.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = (i > 10 ? i * 2 : i) + (i > 20 ? 1000 : 0)
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x, a, b;
    asm volatile("{ .reg .pred p; .reg .u32 r; mov.u32 r, %1; setp.gt.u32 p, r, 10; @!p bra SKIP; add.u32 r, r, r; SKIP: mov.u32 %0, r; }" : "=r"(a) : "r"(t));
    asm volatile("{ .reg .pred p; .reg .u32 r; mov.u32 r, 0; setp.gt.u32 p, %1, 20; @!p bra SKIP; mov.u32 r, 1000; SKIP: mov.u32 %0, r; }" : "=r"(b) : "r"(t));
    out[t] = a + b;
}
