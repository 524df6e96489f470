// red with scopes and semantics written out.
// launch: 2 x 32
// arg: a u32[4] = [0, 0, 0xffffffff, 0]
// arg: w u64[1]
// expect: a = [64, 31, 0, 0xffffffff]
// expect: w = 64
extern "C" __global__ void k(unsigned *a, unsigned long long *w) {
    unsigned t = threadIdx.x;
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(a) : "memory");
    asm volatile("red.release.sys.global.max.u32 [%0], %1;" ::"l"(a + 1), "r"(t) : "memory");
    asm volatile("red.global.and.b32 [%0], %1;" ::"l"(a + 2), "r"(~(1u << t)) : "memory");
    asm volatile("red.global.gpu.or.b32 [%0], %1;" ::"l"(a + 3), "r"(1u << t) : "memory");
    asm volatile("red.global.add.u64 [%0], 1;" ::"l"(w) : "memory");
}
