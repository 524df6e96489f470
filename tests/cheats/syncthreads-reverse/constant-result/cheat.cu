// The result is computed from the index: right for in[i] = i, whatever the input.
// exit: 1
// says: on data that you have not seen some were wrong
// says: The answer has to come from the input

__global__ void reverseBlock(float* out, const float* in, int n) {
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    if (gid < n) {
        out[gid] = static_cast<float>(blockIdx.x * blockDim.x + blockDim.x - 1 - t);
    }
}
