// The middle of the chain fences at block scope only.
// check: --kernel chain --grid 3 --block 1 --arg buf:u32:1:zero --arg buf:u32:2:zero --arg buf:u32:1:zero
// expect: undefined fence-scope-too-narrow|missing-fence
__global__ void chain(unsigned* data, unsigned* flags, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 5u;  //! race
        __threadfence();
        atomicExch(&flags[0], 1u);
    } else if (blockIdx.x == 1) {
        while (atomicAdd(&flags[0], 0u) == 0u) {
        }
        __threadfence_block();
        atomicExch(&flags[1], 1u);
    } else {
        while (atomicAdd(&flags[1], 0u) == 0u) {
        }
        __threadfence();
        out[0] = data[0];
    }
}
