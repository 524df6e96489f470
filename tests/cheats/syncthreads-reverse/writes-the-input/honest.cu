// exit: 0

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    float* from = const_cast<float*>(in);
    tile[t] = (gid < n) ? from[gid] : 0.0f;
#ifndef SKIP_SYNC
    __syncthreads();
#endif
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
