// expect: exit 1
// expect: wrong reverseBlock
// expect: percent 0..75
// The answer is worked out from the index: right for in[i] = i, wrong for any other data.

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    // snippet: exchange
    tile[t] = (gid < n) ? in[gid] : 0.0f;
#ifndef SKIP_SYNC
    __syncthreads();
#endif
    const float mirrored = static_cast<float>(blockIdx.x * blockDim.x + blockDim.x - 1 - t);
    // end snippet: exchange
    if (gid < n) {
        out[gid] = mirrored;
    }
}
