// expect: exit 1
// expect: reverseBlock: missing-barrier
// expect: wrong reverseBlock
// expect: percent 0..60
// No barrier in any build.

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    // snippet: exchange
    tile[t] = (gid < n) ? in[gid] : 0.0f;
    const float mirrored = tile[blockDim.x - 1 - t];
    // end snippet: exchange
    if (gid < n) {
        out[gid] = mirrored;
    }
}
