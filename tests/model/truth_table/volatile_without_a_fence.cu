// volatile st;atom | atom;volatile ld
// lenient: undefined volatile-is-not-ordering
// strict: undefined volatile-is-not-ordering
// stale: always
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    volatile unsigned* slots = partials;
    if (threadIdx.x == 0) {
        slots[blockIdx.x] = blockIdx.x + 1u;
        const unsigned ticket = atomicAdd(counter, 1u);
        if (ticket == gridDim.x - 1u) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += slots[b];
            }
            total[0] = all;
        }
    }
}
