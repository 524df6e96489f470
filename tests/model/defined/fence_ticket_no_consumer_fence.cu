// NVIDIA's sample: defined when the atomic that observes the ticket acquires; strictly, a note.
// check: --kernel sum --grid 8 --block 32 --arg buf:u32:8:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined note:missing-consumer-fence
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        __threadfence();
        if (atomicAdd(counter, 1u) == gridDim.x - 1u) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];  //! note
            }
            total[0] = all;
        }
    }
}
