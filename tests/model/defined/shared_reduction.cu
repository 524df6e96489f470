// The reduction tree, a barrier a step.
// check: --kernel reduce --grid 4 --block 128 --arg buf:f32:512:ones --arg buf:f32:4
// expect: defined
__global__ void reduce(const float* in, float* out) {
    __shared__ float tile[128];
    const unsigned t = threadIdx.x;
    tile[t] = in[blockIdx.x * 128u + t];
    __syncthreads();
    for (unsigned half = 64; half > 0; half /= 2) {
        if (t < half) {
            tile[t] += tile[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = tile[0];
    }
}
