// expect: exit 0
// expect: defined scanTileFixed
// expect: defined reverseTilesFixed
// expect: exact scanTileFixed
// expect: exact reverseTilesFixed
// expect: percent 100
// Right: shuffles within a warp, then the warps' sums through shared memory.

__global__ void scanTileFixed(const float* __restrict__ in, float* __restrict__ out, size_t n) {
    __shared__ float tile[kMaxThreadsPerBlock];
    const unsigned int tid = threadIdx.x;
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + tid;
    tile[tid] = (i < n) ? in[i] : 0.0f;
    __syncthreads();
    // snippet: fixed-step
    float sum = tile[tid];
    const unsigned int lane = tid % kWarpSize;
    for (unsigned int offset = 1; offset < kWarpSize; offset *= 2) {
        const float left = __shfl_up_sync(0xFFFFFFFFu, sum, offset);
        if (lane >= offset) {
            sum += left;
        }
    }
    __shared__ float warpSums[kMaxThreadsPerBlock / kWarpSize];
    if (lane == kWarpSize - 1u) {
        warpSums[tid / kWarpSize] = sum;
    }
    __syncthreads();
    for (unsigned int w = 0; w < tid / kWarpSize; ++w) {
        sum += warpSums[w];
    }
    tile[tid] = sum;
    // end snippet: fixed-step
    if (i < n) {
        out[i] = tile[tid];
    }
}

__global__ void reverseTilesFixed(const float* __restrict__ in, float* __restrict__ out, size_t n, size_t numTiles) {
    __shared__ float tile[kMaxThreadsPerBlock];
    const unsigned int tid = threadIdx.x;
    const unsigned int width = blockDim.x;
    const size_t first = static_cast<size_t>(blockIdx.x) * kTilesPerBlock;
    const size_t end = (first + kTilesPerBlock < numTiles) ? first + kTilesPerBlock : numTiles;
    // snippet: fixed-barrier
    for (size_t t = first; t < end; ++t) {
        const size_t i = t * width + tid;
        tile[tid] = (i < n) ? in[i] : 0.0f;
        __syncthreads();
        if (i < n) {
            out[i] = tile[width - 1u - tid];
        }
        __syncthreads();
    }
    // end snippet: fixed-barrier
}
