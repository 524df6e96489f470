// Every thread fences, below the if that announces: still after the announcement.
// check: --kernel sum --grid 8 --block 64 --arg buf:u32:8:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined fence-after-announcement
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x;  //! race
        last = atomicAdd(counter, 1u) == gridDim.x - 1u;
    }
    __threadfence();
    __syncthreads();
    if (last && threadIdx.x == 0) {
        unsigned all = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) {
            all += partials[b];
        }
        total[0] = all;
    }
}
