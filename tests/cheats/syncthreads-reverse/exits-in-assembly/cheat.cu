// Leaves by an instruction that no C++ shows.
// exit: 1
// says: it was never written
// says: it is judged by the instructions that it emits

__global__ void reverseBlock(float* out, const float* in, int n) {
    asm volatile("exit;");
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
#ifndef SKIP_SYNC
    __syncthreads();
#endif
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
