// Hillis-Steele with a read phase and a write phase.
// check: --kernel scan --grid 2 --block 128 --arg buf:u32:256:ones
// expect: defined
__global__ void scan(unsigned* data) {
    __shared__ unsigned tile[128];
    const unsigned t = threadIdx.x;
    const unsigned i = blockIdx.x * 128u + t;
    tile[t] = data[i];
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        unsigned add = 0;
        if (t >= d) {
            add = tile[t - d];
        }
        __syncthreads();
        tile[t] += add;
        __syncthreads();
    }
    data[i] = tile[t];
}
