// An inclusive scan by shfl_up.
// launch: 1 x 32
// arg: a u32[32] = i * 3 + 1
// arg: out u32[32]
// expect: out = sum(j, 0, i + 1, j * 3 + 1)
extern "C" __global__ void k(const unsigned *a, unsigned *out) {
    unsigned t = threadIdx.x, s = a[t];
    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned below = __shfl_up_sync(0xffffffff, s, d);
        if (t >= d) s += below;
    }
    out[t] = s;
}
