// The fence comes when the flag is up already.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42u;
        atomicExch(flag, 1u);
        __threadfence();
    } else {
        while (atomicAdd(flag, 0u) == 0u) {
        }
        __threadfence();
        out[0] = data[0];
    }
}
