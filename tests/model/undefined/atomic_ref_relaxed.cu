// atomic_ref with relaxed order announces, but publishes nothing.
// check: --kernel sum --grid 8 --block 32 --arg buf:u32:8:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined missing-fence
#include <cuda/atomic>
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> ticket{*counter};
        partials[blockIdx.x] = blockIdx.x + 1u;  //! race
        if (ticket.fetch_add(1u, cuda::memory_order_relaxed) == gridDim.x - 1u) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
        }
    }
}
