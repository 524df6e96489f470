// `volatile` data handed on by an atomic, with a fence for the block only.
// check: --kernel pass --grid 2 --block 1 --arg buf:u32:1:uninit --arg buf:u32:1 --arg buf:u32:1
// expect: undefined fence-scope-too-narrow
__global__ void pass(volatile unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 1u;  //! race
        __threadfence_block();
        atomicExch(flag, 1u);
    } else {
        while (atomicExch(flag, 0u) == 0u) {
        }
        out[0] = data[0];
    }
}
