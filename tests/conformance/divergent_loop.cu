// Each lane runs its own number of rounds.
// launch: 1 x 64
// arg: out u32[64]
// expect: out = i * (i - 1) / 2 + i
extern "C" __global__ void k(unsigned *out) {
    unsigned s = 0, t = threadIdx.x;
    for (unsigned j = 0; j < t; ++j)
        s += j;
    out[t] = s + t;
}
