// expect: exit 0
// expect: percent 95..100
// One block hands nothing over: outside the range that the exercise allows. Said, and the exercise's own value is used.

constexpr int kBlocks = 1;

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
        partials[blockIdx.x] = blockSum;
        __threadfence();
        const unsigned int ticket = atomicAdd(counter, 1u);
        isLastBlockDone = (ticket == gridDim.x - 1u);
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
