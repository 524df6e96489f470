// A system-scope fence is wider than needed, and right.
// check: --kernel sum --grid 8 --block 32 --arg buf:u32:8:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        __threadfence_system();
        const bool last = atomicAdd(counter, 1u) == gridDim.x - 1u;
        __threadfence_system();
        if (last) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
        }
    }
}
