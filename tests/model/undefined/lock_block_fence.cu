// The lock is between blocks, its fences are block-wide.
// check: --kernel add --grid 4 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined fence-scope-too-narrow
__global__ void add(unsigned* lock, unsigned* value) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    __threadfence_block();
    value[0] += 1u;  //! race
    __threadfence_block();
    atomicExch(lock, 0u);
}
