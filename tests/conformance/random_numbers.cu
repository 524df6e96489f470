// A linear congruential generator and xorshift, by lane.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = u32(u32(u32(i * 1664525 + 1013904223) * 1664525 + 1013904223) * 1664525 + 1013904223)
extern "C" __global__ void k(unsigned *out) {
    unsigned x = threadIdx.x;
    for (int j = 0; j < 3; ++j)
        x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}
