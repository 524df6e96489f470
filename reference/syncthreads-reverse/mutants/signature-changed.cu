// expect: exit 1
// expect: notice signature-changed
// expect: percent 0..75
// The input is no longer const: another signature.

__global__ void reverseBlock(float* out, float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    // snippet: exchange
    tile[t] = (gid < n) ? in[gid] : 0.0f;
#ifndef SKIP_SYNC
    __syncthreads();
#endif
    const float mirrored = tile[blockDim.x - 1 - t];
    // end snippet: exchange
    if (gid < n) {
        out[gid] = mirrored;
    }
}
