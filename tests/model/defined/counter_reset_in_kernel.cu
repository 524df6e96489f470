// The last block puts the counter back, so that the next launch can use it.
// plan: counter_reset_in_kernel.toml
// expect: defined
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        __threadfence();
        const bool last = atomicAdd(counter, 1u) == gridDim.x - 1u;
        __threadfence();
        if (last) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
            atomicExch(counter, 0u);
        }
    }
}
