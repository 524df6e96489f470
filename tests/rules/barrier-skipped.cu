// Half of the block returns early.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    const unsigned t = threadIdx.x;
    if (t >= 32u) {
        return;
    }
    data[t] = t;
    __syncthreads();
    out[t] = data[31u - t];
}
