// Published, but not acquired.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42u;
        __threadfence();
        atomicExch(flag, 1u);
    } else {
        while (atomicAdd(flag, 0u) == 0u) {
        }
        out[0] = data[0];
    }
}
