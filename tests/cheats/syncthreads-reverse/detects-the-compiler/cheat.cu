// Has its barrier only where the grader's compiler looks.
// exit: 1
// says: This asks whether NVRTC compiles it; it is answered as `nvcc` would
// says: missing-barrier

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
#ifdef __CUDACC_RTC__
    __syncthreads();
#endif
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
