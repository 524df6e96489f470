// st;atom.acq_rel | atom.acq_rel;ld, device scope
// lenient: defined
// strict: defined
// stale: never
#include <cuda/atomic>
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived{*counter};
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        const unsigned ticket = arrived.fetch_add(1u, cuda::memory_order_acq_rel);
        if (ticket == gridDim.x - 1u) {
            unsigned all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) {
                all += partials[b];
            }
            total[0] = all;
        }
    }
}
