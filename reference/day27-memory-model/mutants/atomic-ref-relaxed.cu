// expect: exit 1
// expect: as-given/sumLastBlockFenced: missing-fence
// expect: wrong sumLastBlockFenced
// expect: percent 30..75
// An atomic_ref that asks for no order.

#include <cuda/atomic>

__global__ void sumLastBlockFenced(const float* in, float* partials, float* total, unsigned int* counter, size_t n) {
    __shared__ float tile[kThreadsPerBlock];
    __shared__ bool isLastBlockDone;

    const unsigned int tid = threadIdx.x;
    const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
    float mine = 0.0f;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + tid; i < n; i += stride) {
        mine += in[i];
    }
    const float blockSum = reduceBlock(tile, mine);

    // snippet: fenced-tail
    if (tid == 0) {
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> ticket{*counter};
        partials[blockIdx.x] = blockSum;
        const unsigned int old = ticket.fetch_add(1u, cuda::memory_order_relaxed);
        isLastBlockDone = (old == gridDim.x - 1u);
    }
    __syncthreads();
    // end snippet: fenced-tail

    if (isLastBlockDone) {
        float rest = 0.0f;
        for (unsigned int b = tid; b < gridDim.x; b += blockDim.x) {
            rest += partials[b];
        }
        const float grand = reduceBlock(tile, rest);
        if (tid == 0) {
            total[0] = grand;
        }
    }
}
