// Atomic bins, but the flush does not wait for the counting.
// check: --kernel histogram --grid 1 --block 128 --arg buf:u32:128:iota --arg buf:u32:16:zero
// expect: undefined missing-barrier
__global__ void histogram(const unsigned* in, unsigned* out) {
    __shared__ unsigned bins[16];
    const unsigned t = threadIdx.x;
    if (t < 16) {
        bins[t] = 0;
    }
    __syncthreads();
    atomicAdd(&bins[in[t] % 16u], 1u);
    if (t < 16) {
        out[t] = bins[t];  //! race
    }
}
