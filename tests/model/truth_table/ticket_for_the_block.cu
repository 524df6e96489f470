// st;F;atom.cta | atom.cta;F;ld: the ticket itself races, and is lost or drawn twice
// lenient: undefined atomic-scope-too-narrow
// strict: undefined atomic-scope-too-narrow
// stale: always
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        __threadfence();
        const unsigned ticket = atomicAdd_block(counter, 1u);
        if (ticket == gridDim.x - 1u) {
            __threadfence();
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
        }
    }
}
