// expect: exit 0
// expect: defined reverseBlock
// expect: exact reverseBlock
// expect: percent 100
// Right: without shared memory nothing needs a barrier.

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    (void)tile;
    const int source = static_cast<int>(blockIdx.x * blockDim.x + blockDim.x) - 1 - t;
    const float mirrored = (source < n) ? in[source] : 0.0f;
    // end snippet: exchange
    if (gid < n) {
        out[gid] = mirrored;
    }
}
