// A barrier in a branch that the whole block takes or leaves.
// check: --kernel uniform --grid 4 --block 64 --arg buf:u32:256
// expect: defined
__global__ void uniform(unsigned* out) {
    __shared__ unsigned tile[64];
    const unsigned t = threadIdx.x;
    tile[t] = t;
    if (blockIdx.x % 2u == 0u) {
        __syncthreads();
        out[blockIdx.x * 64u + t] = tile[63u - t];
    } else {
        out[blockIdx.x * 64u + t] = tile[t];
    }
}
