// atomicAdd in global memory from many blocks: 32 and 64 bits, float and double.
// launch: 8 x 64
// arg: n u32[1] = 5
// arg: s s32[1]
// arg: w u64[1]
// arg: f f32[1]
// arg: d f64[1]
// expect: n = 5 + 512
// expect: s = -512 * 3
// expect: w = 512 * 0x100000000
// expect: f = 512 * 0.5
// expect: d = 512 * 0.25
extern "C" __global__ void k(unsigned *n, int *s, unsigned long long *w, float *f, double *d) {
    atomicAdd(n, 1u);
    atomicAdd(s, -3);
    atomicAdd(w, 0x100000000ull);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
}
