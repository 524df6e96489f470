// Registers travel by shuffle: no memory, no race.
// check: --kernel reduce --grid 2 --block 64 --arg buf:u32:128:ones --arg buf:u32:1:zero
// expect: defined
__global__ void reduce(const unsigned* in, unsigned* out) {
    unsigned v = in[blockIdx.x * 64u + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(0xffffffffu, v, d);
    }
    if (threadIdx.x % 32u == 0u) {
        atomicAdd(out, v);
    }
}
