// Characters that make the file look otherwise than it is.
// exit: 1
// says: U+202E
// says: missing-barrier

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
    /* ‮ ⁦; */ // ⁩⁦)(sdaerhtcnys__
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
