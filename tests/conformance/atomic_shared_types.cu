// Shared atomics of 64 bits, float, min, max, cas and exchange.
// launch: 1 x 64
// arg: w u64[1]
// arg: f f32[1]
// arg: lo s32[1]
// arg: hi u32[1]
// arg: c u32[1]
// expect: w = 64 * 0x100000001
// expect: f = 32.0
// expect: lo = -63 * 5
// expect: hi = 63 * 7
// expect: c = 64
extern "C" __global__ void k(unsigned long long *w, float *f, int *lo, unsigned *hi, unsigned *c) {
    __shared__ unsigned long long sw;
    __shared__ float sf;
    __shared__ int slo;
    __shared__ unsigned shi, sc;
    if (threadIdx.x == 0) {
        sw = 0;
        sf = 0;
        slo = 0;
        shi = 0;
        sc = 0;
    }
    __syncthreads();
    atomicAdd(&sw, 0x100000001ull);
    atomicAdd(&sf, 0.5f);
    atomicMin(&slo, -5 * (int)threadIdx.x);
    atomicMax(&shi, 7 * threadIdx.x);
    unsigned old = sc, seen;
    do {
        seen = old;
        old = atomicCAS(&sc, seen, seen + 1);
    } while (old != seen);
    __syncthreads();
    if (threadIdx.x == 0) {
        *w = sw;
        *f = sf;
        *lo = slo;
        *hi = shi;
        *c = atomicExch(&sc, 0u);
    }
}
