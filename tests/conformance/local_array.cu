// An array in local memory, indexed by run-time values.
// launch: 1 x 64
// arg: order u32[16] = i * 7 % 16
// arg: out u32[64]
// expect: out = i * 16 + order[i % 16] * order[i % 16]
extern "C" __global__ void k(const unsigned *order, unsigned *out) {
    unsigned t = threadIdx.x, mine[16];
    for (int j = 0; j < 16; ++j)
        mine[order[j]] = t * 16 + order[j] * order[j];
    out[t] = mine[order[t % 16]];
}
