// Cooperative groups' block.sync() orders as __syncthreads does.
// check: --kernel reverse --grid 2 --block 64 --arg buf:u32:128
// expect: defined
#include <cooperative_groups.h>
__global__ void reverse(unsigned* out) {
    __shared__ unsigned tile[64];
    tile[threadIdx.x] = threadIdx.x;
    cooperative_groups::this_thread_block().sync();
    out[blockIdx.x * 64u + threadIdx.x] = tile[63u - threadIdx.x];
}
