// A reduction tree whose steps are not separated.
// check: --kernel reduce --grid 1 --block 128 --arg buf:f32:128:ones --arg buf:f32:1
// expect: undefined missing-barrier
__global__ void reduce(const float* in, float* out) {
    __shared__ float tile[128];
    const unsigned t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    for (unsigned half = 64; half > 0; half /= 2) {
        if (t < half) {
            tile[t] += tile[t + half];  //! race
        }
    }
    if (t == 0) {
        out[0] = tile[0];
    }
}
