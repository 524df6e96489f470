// mov between a vector of registers and one wide register; ld.v2 into braces.
// launch: 1 x 16
// arg: a u32[32] = i * 0x10001
// arg: out u64[16]
// expect: out = a[2 * i + 1] << 32 | a[2 * i]
extern "C" __global__ void k(const unsigned *a, unsigned long long *out) {
    unsigned long long w;
    unsigned x, y;
    asm("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(__cvta_generic_to_global(a + 2 * threadIdx.x)));
    asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(x), "r"(y));
    asm("{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %1; mov.b64 %0, {lo, hi}; }" : "=l"(w) : "l"(w));
    out[threadIdx.x] = w;
}
