// The snippet's markers stand around another function's lines.
// exit: 1
// says: missing-barrier

__device__ void shown(float* tile, const float* in, int t, int gid, int n) {
    // snippet: exchange
    tile[t] = (gid < n) ? in[gid] : 0.0f;
    __syncthreads();
    const float mirrored = tile[blockDim.x - 1 - t];
    // end snippet: exchange
}
__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
