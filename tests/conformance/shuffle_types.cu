// Shuffles of 64-bit integers, floats and doubles.
// launch: 1 x 32
// arg: w u64[32]
// arg: f f32[32]
// arg: d f64[32]
// expect: w = (i ^ 1) * 0x100000003
// expect: f = (i + 1) % 32 * 0.5
// expect: d = i < 2 ? i * 0.25 : (i - 2) * 0.25
extern "C" __global__ void k(unsigned long long *w, float *f, double *d) {
    int t = threadIdx.x;
    w[t] = __shfl_xor_sync(0xffffffff, t * 0x100000003ull, 1);
    f[t] = __shfl_sync(0xffffffff, t * 0.5f, t + 1);
    d[t] = __shfl_up_sync(0xffffffff, t * 0.25, 2);
}
