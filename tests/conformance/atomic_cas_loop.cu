// A product and a float maximum made of compare-and-swap loops.
// launch: 2 x 32
// arg: a f32[64] = i * 37 % 64 * 0.5 - 9.0
// arg: top f32[1] = -1000.0
// arg: hash u32[1] = 1
// expect: top = 63 * 0.5 - 9.0
// expect: hash = 3433683820292512484657849089281
extern "C" __global__ void k(const float *a, float *top, unsigned *hash) {
    float mine = a[blockIdx.x * 32 + threadIdx.x];
    unsigned *bits = (unsigned *)top, old = *bits, seen;
    do {
        seen = old;
        if (__uint_as_float(seen) >= mine) break;
        old = atomicCAS(bits, seen, __float_as_uint(mine));
    } while (old != seen);
    old = *hash;
    do {
        seen = old;
        old = atomicCAS(hash, seen, seen * 3);
    } while (old != seen);
}
