// The ticket pattern: the last block to finish adds up what all have written.
// launch: 16 x 32
// arg: parts u32[16]
// arg: n u32[1]
// arg: total u32[1]
// expect: total = 511 * 512 / 2
// expect: n = 16
extern "C" __global__ void k(volatile unsigned *parts, unsigned *n, unsigned *total) {
    __shared__ bool last;
    unsigned sum = blockIdx.x * 32 + threadIdx.x;
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(n, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    unsigned all = threadIdx.x < 16 ? parts[threadIdx.x] : 0;
    for (int d = 16; d; d /= 2)
        all += __shfl_down_sync(0xffffffff, all, d);
    if (threadIdx.x == 0) *total = all;
}
