// __nanosleep ends, also in a loop that waits for another block.
// lanes: together
// launch: 2 x 32
// arg: flag u32[1]
// arg: out u32[64]
// expect: flag = 1
// expect: out = i + 1
extern "C" __global__ void k(volatile unsigned *flag, unsigned *out) {
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    if (blockIdx.x == 0)
        while (*flag == 0)
            __nanosleep(100);
    out[i] = i + 1;
    if (blockIdx.x == 1) *flag = 1;
}
