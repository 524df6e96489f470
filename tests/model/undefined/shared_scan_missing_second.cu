// Read phase and write phase apart, but the next step's reads are not.
// check: --kernel scan --grid 1 --block 128 --arg buf:u32:128:ones
// expect: undefined missing-barrier
__global__ void scan(unsigned* data) {
    __shared__ unsigned tile[128];
    const unsigned t = threadIdx.x;
    tile[t] = data[t];
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        unsigned add = 0;
        if (t >= d) {
            add = tile[t - d];
        }
        __syncthreads();
        tile[t] += add;  //! race
    }
    data[t] = tile[t];
}
