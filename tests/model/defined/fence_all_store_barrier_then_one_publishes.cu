// All threads store; a barrier collects them; thread 0's fence is cumulative.
// check: --kernel sum --grid 4 --block 64 --arg buf:u32:256:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
__global__ void sum(unsigned* cells, unsigned* counter, unsigned* total) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        const bool last = atomicAdd(counter, 1u) == gridDim.x - 1u;
        __threadfence();
        if (last) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x * blockDim.x; ++b) {
                all += cells[b];
            }
            total[0] = all;
        }
    }
}
