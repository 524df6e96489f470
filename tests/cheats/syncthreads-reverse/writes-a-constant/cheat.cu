// Changes constant memory through a cast.
// exit: 1
// says: the compiler put a trap where the code is undefined

__constant__ float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__global__ void reverseBlock(float* out, const float* in, int n) {
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
    const_cast<float*>(table)[t & 3] = 5.0f;
    if (gid == 0) {
        out[0] = table[0];
    }
}
