// st;F;atom | atom;ld: NVIDIA's sample
// lenient: defined note:missing-consumer-fence
// strict: undefined missing-consumer-fence
// stale: never
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        __threadfence();
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
