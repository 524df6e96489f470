// expect: exit 1
// expect: notice compile-error
// expect: says syncthread
// expect: percent 0..40
// A letter is missing.

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    // snippet: exchange
    tile[t] = (gid < n) ? in[gid] : 0.0f;
#ifndef SKIP_SYNC
    __syncthread();
#endif
    const float mirrored = tile[blockDim.x - 1 - t];
    // end snippet: exchange
    if (gid < n) {
        out[gid] = mirrored;
    }
}
