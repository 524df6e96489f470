// expect: exit 0
// expect: defined reverseBlock
// expect: exact reverseBlock
// expect: reverseBlock (partial tile): barrier-skipped
// Right where every tile is full, as the gated row has it; on the partial tile, which decides nothing, threads pass by the barrier.

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    // snippet: exchange
    if (gid < n) {
        tile[t] = in[gid];
        __syncthreads();
    }
    const float mirrored = tile[blockDim.x - 1 - t];
    // end snippet: exchange
    if (gid < n) {
        out[gid] = mirrored;
    }
}
