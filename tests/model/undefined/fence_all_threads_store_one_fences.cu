// All threads store, thread 0 alone fences and announces without a barrier before.
// check: --kernel sum --grid 4 --block 64 --arg buf:u32:256:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined missing-barrier|missing-fence
__global__ void sum(unsigned* cells, unsigned* counter, unsigned* total) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[i] = i;  //! race
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(counter, 1u) == gridDim.x - 1u) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x * blockDim.x; ++b) {
                all += cells[b];
            }
            total[0] = all;
        }
    }
}
