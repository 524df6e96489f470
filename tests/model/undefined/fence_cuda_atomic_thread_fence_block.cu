// libcu++'s fence at block scope: too narrow between blocks.
// check: --kernel sum --grid 8 --block 32 --arg buf:u32:8:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined fence-scope-too-narrow
#include <cuda/atomic>
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;  //! race
        cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);
        if (atomicAdd(counter, 1u) == gridDim.x - 1u) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
        }
    }
}
