// The fence is for the storing block, the reader in another.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42u;
        __threadfence_block();
        atomicExch(flag, 1u);
    } else {
        while (atomicAdd(flag, 0u) == 0u) {
        }
        __threadfence();
        out[0] = data[0];
    }
}
