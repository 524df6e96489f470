// Causality is transitive: block 0 to 1 to 2.
// check: --kernel chain --grid 3 --block 1 --arg buf:u32:1:zero --arg buf:u32:2:zero --arg buf:u32:1:zero
// expect: defined
__global__ void chain(unsigned* data, unsigned* flags, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 5u;
        __threadfence();
        atomicExch(&flags[0], 1u);
    } else if (blockIdx.x == 1) {
        while (atomicAdd(&flags[0], 0u) == 0u) {
        }
        __threadfence();
        atomicExch(&flags[1], 1u);
    } else {
        while (atomicAdd(&flags[1], 0u) == 0u) {
        }
        __threadfence();
        out[0] = data[0];
    }
}
