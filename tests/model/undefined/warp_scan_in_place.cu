// A warp's scan in shared memory without __syncwarp.
// check: --kernel scan --grid 1 --block 32 --arg buf:u32:32:ones
// expect: undefined missing-barrier
__global__ void scan(unsigned* data) {
    __shared__ unsigned tile[32];
    const unsigned t = threadIdx.x;
    tile[t] = data[t];
    __syncthreads();
    for (unsigned d = 1; d < 32; d *= 2) {
        if (t >= d) {
            tile[t] += tile[t - d];  //! race
        }
    }
    __syncthreads();
    data[t] = tile[t];
}
