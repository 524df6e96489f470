// Shared bins, plain increments.
// check: --kernel histogram --grid 1 --block 128 --arg buf:u32:128:iota --arg buf:u32:16:zero
// expect: undefined missing-atomic|missing-barrier|data-race
__global__ void histogram(const unsigned* in, unsigned* out) {
    __shared__ unsigned bins[16];
    const unsigned t = threadIdx.x;
    if (t < 16) {
        bins[t] = 0;
    }
    __syncthreads();
    bins[in[t] % 16u]++;  //! race
    __syncthreads();
    if (t < 16) {
        atomicAdd(&out[t], bins[t]);
    }
}
