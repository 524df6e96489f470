// prefetch changes nothing.
// launch: 1 x 32
// arg: a u32[32] = i + 3
// arg: out u32[32]
// expect: out = i + 3
extern "C" __global__ void k(const unsigned *a, unsigned *out) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(a + threadIdx.x)));
    asm volatile("prefetch.L1 [%0];" ::"l"(a + threadIdx.x));
    out[threadIdx.x] = a[threadIdx.x];
}
