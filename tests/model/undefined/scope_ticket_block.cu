// Right fence, ticket too narrow.
// check: --kernel sum --grid 8 --block 32 --arg buf:u32:8:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined atomic-scope-too-narrow
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        __threadfence();
        if (atomicAdd_block(counter, 1u) == gridDim.x - 1u) {  //! race
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
        }
    }
}
