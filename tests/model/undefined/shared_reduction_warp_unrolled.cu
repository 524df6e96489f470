// The last warp unrolled as in 2010: implicit warp synchrony that Volta took away.
// check: --kernel reduce --grid 1 --block 64 --arg buf:u32:64:ones --arg buf:u32:1
// expect: undefined missing-barrier
__global__ void reduce(const unsigned* in, unsigned* out) {
    __shared__ unsigned tile[64];
    const unsigned t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    if (t < 32) {
        tile[t] += tile[t + 32];
        tile[t] += tile[t + 16];  //! race
        tile[t] += tile[t + 8];
        tile[t] += tile[t + 4];
        tile[t] += tile[t + 2];
        tile[t] += tile[t + 1];
    }
    if (t == 0) {
        out[0] = tile[0];
    }
}
