// The second launch starts from a counter that is already full: nobody is last.
// plan: counter_not_reset.toml
// expect: undefined counter-not-reset
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        __threadfence();
        const bool last = atomicAdd(counter, 1u) == gridDim.x - 1u;  //! race
        __threadfence();
        if (last) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
        }
    }
}
