// The producer's fence is block-wide, the consumer is another block.
// check: --kernel pass --grid 2 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined fence-scope-too-narrow
__global__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42u;  //! race
        __threadfence_block();
        atomicExch(flag, 1u);
    } else {
        while (atomicAdd(flag, 0u) == 0u) {
        }
        __threadfence();
        out[0] = data[0];
    }
}
