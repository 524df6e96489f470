// Two branches, each with its own __syncthreads.
// check: --kernel branches --grid 1 --block 64 --arg buf:u32:64
// expect: undefined divergent-barrier
__global__ void branches(unsigned* out) {
    __shared__ unsigned tile[64];
    const unsigned t = threadIdx.x;
    tile[t] = t;
    if (t < 32) {
        __syncthreads();  //! race
        out[t] = tile[t + 32u];
    } else {
        __syncthreads();  //! race
        out[t] = tile[t - 32u] + 1u;
    }
}
