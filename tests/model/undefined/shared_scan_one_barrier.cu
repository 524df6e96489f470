// Hillis-Steele in place with one barrier a step.
// check: --kernel scan --grid 1 --block 128 --arg buf:u32:128:ones
// expect: undefined missing-barrier
__global__ void scan(unsigned* data) {
    __shared__ unsigned tile[128];
    const unsigned t = threadIdx.x;
    tile[t] = data[t];
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        if (t >= d) {
            tile[t] += tile[t - d];  //! race
        }
        __syncthreads();
    }
    data[t] = tile[t];
}
