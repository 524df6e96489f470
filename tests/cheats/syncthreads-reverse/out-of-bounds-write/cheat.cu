// Writes past its buffer, where another buffer or the expected values may lie.
// exit: 1
// says: writes out[16384], but out has 16384 elements

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
    if (gid == 0) {
        for (int i = 0; i < 4096; ++i) {
            out[n + i] = 1.0f;
        }
    }
}
