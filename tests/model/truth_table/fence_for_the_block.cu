// st;F.block;atom | atom;ld
// lenient: undefined fence-scope-too-narrow
// strict: undefined fence-scope-too-narrow
// stale: always
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        __threadfence_block();
        const unsigned ticket = atomicAdd(counter, 1u);
        if (ticket == gridDim.x - 1u) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
        }
    }
}
