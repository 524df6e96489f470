// Another result on another multiprocessor.
// exit: 1
// says: wrong on 3 of 3 runs

__global__ void reverseBlock(float* out, const float* in, int n) {
    unsigned int sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
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
    if (sm != 0 && gid < n) {
        out[gid] = -1.0f;
    }
}
