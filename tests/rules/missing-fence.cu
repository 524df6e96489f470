// The flag does not carry the data.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42u;
        atomicExch(flag, 1u);
    } else {
        while (atomicAdd(flag, 0u) == 0u) {
        }
        __threadfence();
        out[0] = data[0];
    }
}
