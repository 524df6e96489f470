// The right kernel is shown, and another is compiled.
// exit: 1
// says: never compiled: its `#if` does not hold
// says: missing-barrier

#if 0
__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
#ifndef SKIP_SYNC
    __syncthreads();
#endif
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
#else
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
#endif
