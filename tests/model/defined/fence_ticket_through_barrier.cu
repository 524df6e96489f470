// The ticket is drawn by thread 0, the sum is read by the whole block after a barrier.
// check: --kernel sum --grid 8 --block 64 --arg buf:u32:8:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicAdd(counter, 1u) == gridDim.x - 1u;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) {
        atomicAdd(total, partials[threadIdx.x]);
    }
}
