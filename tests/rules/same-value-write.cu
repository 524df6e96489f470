// Both blocks raise the flag.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    flag[0] = 1u;
    out[blockIdx.x] = data[blockIdx.x];
}
