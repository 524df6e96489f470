// Instructions that do not exist, so that nothing can be executed.
// exit: 1
// says: does not compile
// says: in the assembly for sm_75
// says: (cheat.cu:8)

__global__ void reverseBlock(float* out, const float* in, int n) {
    asm volatile("frobnicate.u32 0;");
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
