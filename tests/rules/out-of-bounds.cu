// One thread reads past the end.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    const unsigned t = threadIdx.x;
    out[t] = data[t * 4u + 4u];
}
