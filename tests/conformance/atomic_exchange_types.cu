// atomicExch of 32 bits, 64 bits and float, each thread on its own element.
// launch: 1 x 32
// arg: a u32[32] = i
// arg: b u64[32] = i * 0x100000000
// arg: c f32[32] = i * 0.5
// arg: old f64[32]
// expect: a = i + 1
// expect: b = i + 2
// expect: c = i + 3
// expect: old = i + i * 4294967296.0 + i * 0.5
extern "C" __global__ void k(unsigned *a, unsigned long long *b, float *c, double *old) {
    unsigned t = threadIdx.x;
    old[t] = (double)atomicExch(a + t, t + 1) + (double)atomicExch(b + t, t + 2ull) + (double)atomicExch(c + t, t + 3.0f);
}
