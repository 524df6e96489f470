// Two stores, and the fence stands between them: the second is not published.
// check: --kernel pair --grid 4 --block 32 --arg buf:u32:4:zero --arg buf:u32:4:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined missing-fence
__global__ void pair(unsigned* low, unsigned* high, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        low[blockIdx.x] = 1u;
        __threadfence();
        high[blockIdx.x] = 2u;  //! race
        if (atomicAdd(counter, 1u) == gridDim.x - 1u) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += low[b] + high[b];
            }
            total[0] = all;
        }
    }
}
