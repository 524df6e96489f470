// && and || do not evaluate what they need not.
// launch: 1 x 32
// arg: n u32[32]
// arg: out u32[32]
// expect: n = (i > 7) + (i > 7 && i < 20 ? 0 : 1)
// expect: out = (i > 7 && i % 2 == 0 ? 1 : 0) + (i > 7 && i < 20 || i % 3 == 0 ? 2 : 0)
__device__ bool count(unsigned *n, bool b) {
    atomicAdd(n, 1u);
    return b;
}
extern "C" __global__ void k(unsigned *n, unsigned *out) {
    unsigned t = threadIdx.x, r = 0;
    if (t > 7 && count(n + t, t % 2 == 0)) r += 1;
    if ((t > 7 && t < 20) || count(n + t, t % 3 == 0)) r += 2;
    out[t] = r;
}
