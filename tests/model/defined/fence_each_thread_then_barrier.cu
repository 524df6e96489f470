// Every thread fences its own store, then a barrier, then one announces.
// check: --kernel sum --grid 4 --block 64 --arg buf:u32:256:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined note:missing-consumer-fence
__global__ void sum(unsigned* cells, unsigned* counter, unsigned* total) {
    __shared__ bool last;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[i] = i;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(counter, 1u) == gridDim.x - 1u;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        unsigned all = 0;
        for (unsigned b = 0; b < gridDim.x * blockDim.x; ++b) {
            all += cells[b];  //! note
        }
        total[0] = all;
    }
}
