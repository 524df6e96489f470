// expect: exit 0
// expect: defined reverseBlock
// expect: exact reverseBlock
// expect: percent 100
// Right: written mirrored and read straight.

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    // snippet: exchange
    const float mine = (gid < n) ? in[gid] : 0.0f;
    tile[blockDim.x - 1 - t] = mine;
    __syncthreads();
    const float mirrored = tile[t];
    // end snippet: exchange
    if (gid < n) {
        out[gid] = mirrored;
    }
}
