// exercise: day27-memory-model
// One kernel alone, its fence written as a macro that calls a helper; a header that the exercise allows, unused.
#include <cuda/atomic>
#include <cstdio>
constexpr unsigned int kOne = 1u;
__device__ __forceinline__ void publishFence() { __threadfence(); }
#define PUBLISH() publishFence()
__device__ int unusedHelper(int x) { return x + 1; }
__global__ void sumLastBlockFenced(const float* in, float* partials, float* total, unsigned int* counter, size_t n) {
    __shared__ float tile[kThreadsPerBlock];
    __shared__ bool isLastBlockDone;
    float mine = 0.0f;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
    const float blockSum = reduceBlock(tile, mine);

    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockSum;
        PUBLISH();
        isLastBlockDone = atomicAdd(counter, kOne) == gridDim.x - 1;
    }
    __syncthreads();
    if (isLastBlockDone) {
        float rest = 0.0f;
        for (unsigned int b = threadIdx.x; b < gridDim.x; b += blockDim.x) rest += partials[b];
        const float grand = reduceBlock(tile, rest);
        if (threadIdx.x == 0) total[0] = grand;
    }
}

