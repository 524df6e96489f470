// __syncwarp of the lanes of one branch orders their shared memory.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = i < 8 ? 7 - i + 100 : i < 20 ? 27 - i + 200 : 0
extern "C" __global__ void k(unsigned *out) {
    __shared__ volatile unsigned tile[32];
    unsigned t = threadIdx.x;
    if (t < 8) {
        tile[t] = t + 100;
        __syncwarp(0x000000ff);
        out[t] = tile[7 - t];
    } else if (t < 20) {
        tile[t] = t + 200;
        __syncwarp(0x000fff00);
        out[t] = tile[27 - t];
    }
}
