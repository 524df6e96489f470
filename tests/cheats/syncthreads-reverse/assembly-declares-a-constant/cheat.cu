// Inline assembly that declares one of the exercise's constants again.
// exit: 1
// says: missing-barrier
// says: (64 × 256)

__global__ void reverseBlock(float* out, const float* in, int n) {
    asm volatile(".global .align 4 .u32 kElems = 256;");
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
