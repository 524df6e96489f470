// Lanes, warps and blocks that leave at once; the rest go on.
// launch: 4 x 64
// arg: out u32[256] = 9
// expect: out = i / 64 == 2 || i % 64 < 32 && i / 64 == 1 || i % 3 == 0 ? 9 : i
extern "C" __global__ void k(unsigned *out) {
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (blockIdx.x == 2) return;
    if (blockIdx.x == 1 && threadIdx.x < 32) return;
    if (i % 3 == 0) return;
    out[i] = i;
}
