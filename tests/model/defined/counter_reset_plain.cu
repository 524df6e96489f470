// As NVIDIA's threadFenceReduction does it: whoever drew the last ticket has seen all others and puts the counter back with
// a plain store.
// plan: counter_reset_plain.toml
// expect: defined note:missing-consumer-fence
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
    }
    __threadfence();
    if (threadIdx.x == 0) {
        last = atomicInc(counter, gridDim.x) == gridDim.x - 1u;
    }
    __syncthreads();
    if (last && threadIdx.x == 1) {
        unsigned all = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) {
            all += partials[b];  //! note
        }
        total[0] = all;
        counter[0] = 0;
    }
}
