// Markers in the wrong places, which must not hide a kernel, good or bad.
// exit: 1
// says: do not fit together
// says: missing-barrier

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
    // end snippet: exchange
    // snippet: exchange
#ifdef NEVER
    // end snippet: exchange
    __syncthreads();
#endif
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
