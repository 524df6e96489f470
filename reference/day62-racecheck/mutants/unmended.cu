// expect: exit 1
// expect: scanTileFixed: missing-barrier
// expect: wrong scanTileFixed
// expect: wrong reverseTilesFixed
// expect: percent 25..50
// The starter, as it was handed out.

__global__ void scanTileFixed(const float* __restrict__ in, float* __restrict__ out, size_t n) {
    __shared__ float tile[kMaxThreadsPerBlock];
    const unsigned int tid = threadIdx.x;
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + tid;
    tile[tid] = (i < n) ? in[i] : 0.0f;
    __syncthreads();
    // snippet: fixed-step
    // TODO: a copy of the racy step. Which two accesses lack an order, and what would give it to them?
    for (unsigned int offset = 1; offset < blockDim.x; offset *= 2) {
        if (tid >= offset) {
            tile[tid] += tile[tid - offset];
        }
        __syncthreads();
    }
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
    // TODO: a copy of the divergent loop. Which threads reach its barriers on the last tile?
    for (size_t t = first; t < end; ++t) {
        const size_t i = t * width + tid;
        if (i < n) {
            tile[tid] = in[i];
            __syncthreads();
            out[i] = tile[width - 1u - tid];
            __syncthreads();
        }
    }
    // end snippet: fixed-barrier
}
