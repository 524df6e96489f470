// The fences are inline assembly.
// check: --kernel sum --grid 8 --block 32 --arg buf:u32:8:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        const bool last = atomicAdd(counter, 1u) == gridDim.x - 1u;
        asm volatile("membar.gl;" ::: "memory");
        if (last) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
        }
    }
}
