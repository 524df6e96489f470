// The racy scan, with its step done twice so that a lucky run is right more often.
// exit: 1
// says: missing-barrier

__global__ void scanTileFixed(const float* __restrict__ in, float* __restrict__ out, size_t n) {
    __shared__ float tile[kMaxThreadsPerBlock];
    const unsigned int tid = threadIdx.x;
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + tid;
    tile[tid] = (i < n) ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int offset = 1; offset < blockDim.x; offset *= 2) {
        if (tid >= offset) {
            tile[tid] += tile[tid - offset];
        }
        __syncthreads();
    }
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
