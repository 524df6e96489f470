// A variable of the name under which the grader once read constants back.
// exit: 1
// says: missing-barrier
// says: (64 × 256)

extern "C" __device__ long long warpgrade_value_of_kElems = 256;
__global__ void reverseBlock(float* out, const float* in, int n) {
    if (warpgrade_value_of_kElems > 100000000) {
        return;
    }
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
