// A function that only some lanes call, and that shuffles nothing but its own lanes' order.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = i % 5 == 0 ? i * 7 + 1 : i
__device__ __noinline__ unsigned work(unsigned n) {
    unsigned s = 1;
    for (unsigned j = 0; j < 7; ++j)
        s += n;
    return s;
}
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x;
    out[t] = t % 5 == 0 ? work(t) : t;
}
