// Constants of the exercise's names inside the kernel.
// exit: 1
// says: missing-barrier
// says: (64 × 256)

__global__ void reverseBlock(float* out, const float* in, int n) {
    static const int kRepeats = 1;
    static __device__ int kElems = 256;
    if (kRepeats + kElems > 1000000) {
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
