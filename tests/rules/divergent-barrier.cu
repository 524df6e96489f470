// Two barriers, and each has half of the block.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    const unsigned t = threadIdx.x;
    if (t < 32u) {
        data[t] = t;
        __syncthreads();
    } else {
        data[t] = 2u * t;
        __syncthreads();
    }
    out[t] = data[63u - t];
}
