// Hillis-Steele between two buffers: one barrier a step is enough.
// check: --kernel scan --grid 1 --block 128 --arg buf:u32:128:ones
// expect: defined
__global__ void scan(unsigned* data) {
    __shared__ unsigned tile[2][128];
    const unsigned t = threadIdx.x;
    unsigned from = 0;
    tile[from][t] = data[t];
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        const unsigned to = from ^ 1u;
        tile[to][t] = tile[from][t] + (t >= d ? tile[from][t - d] : 0u);
        from = to;
        __syncthreads();
    }
    data[t] = tile[from][t];
}
