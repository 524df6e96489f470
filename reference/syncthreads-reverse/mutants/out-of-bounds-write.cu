// expect: exit 1
// expect: reverseBlock: out-of-bounds
// expect: percent 0..75
// Every element lands one too far; the last one outside the array.

__global__ void reverseBlock(float* out, const float* in, int n) {
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
    out[gid + 1] = mirrored;
}
