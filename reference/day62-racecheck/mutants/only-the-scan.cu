// expect: exit 1
// expect: exact scanTileFixed
// expect: wrong reverseTilesFixed
// expect: percent 40..75
// Only one of the two kernels was handed in.

__global__ void scanTileFixed(const float* __restrict__ in, float* __restrict__ out, size_t n) {
    __shared__ float tile[kMaxThreadsPerBlock];
    const unsigned int tid = threadIdx.x;
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + tid;
    tile[tid] = (i < n) ? in[i] : 0.0f;
    __syncthreads();
    // snippet: fixed-step
    for (unsigned int offset = 1; offset < blockDim.x; offset *= 2) {
        float addend = 0.0f;
        if (tid >= offset) {
            addend = tile[tid - offset];
        }
        __syncthreads();
        tile[tid] += addend;
        __syncthreads();
    }
    // end snippet: fixed-step
    if (i < n) {
        out[i] = tile[tid];
    }
}
