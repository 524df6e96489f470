// Block-scope atomics are wide enough for shared bins.
// check: --kernel histogram --grid 2 --block 128 --arg buf:u32:256:iota --arg buf:u32:16:zero
// expect: defined
__global__ void histogram(const unsigned* in, unsigned* out) {
    __shared__ unsigned bins[16];
    const unsigned t = threadIdx.x;
    if (t < 16) {
        bins[t] = 0;
    }
    __syncthreads();
    atomicAdd_block(&bins[in[blockIdx.x * 128u + t] % 16u], 1u);
    __syncthreads();
    if (t < 16) {
        atomicAdd(&out[t], bins[t]);
    }
}
