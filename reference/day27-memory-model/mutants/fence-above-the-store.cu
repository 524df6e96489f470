// expect: exit 1
// expect: as-given/sumLastBlockFenced: missing-fence
// expect: wrong sumLastBlockFenced
// expect: percent 30..75
// The fence stands above the store, so it orders everything but the store.

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
        __threadfence();
        partials[blockIdx.x] = blockSum;
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
