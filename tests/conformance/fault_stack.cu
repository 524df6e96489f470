// Recursion without end.
// launch: 1 x 1
// gpu: no
// arg: out u32[1]
// fault: stack-overflow
__device__ __noinline__ unsigned down(unsigned n, volatile unsigned *p) {
    volatile unsigned own[8] = {n};
    return *p == 1 ? 0 : down(n + 1, p) + own[0];
}
extern "C" __global__ void k(unsigned *out) { *out = down(0, out); }
