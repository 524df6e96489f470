// The lock itself is taken at block scope.
// check: --kernel add --grid 4 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined atomic-scope-too-narrow
__global__ void add(unsigned* lock, unsigned* value) {
    while (atomicCAS_block(lock, 0u, 1u) != 0u) {  //! race
    }
    __threadfence();
    value[0] += 1u;
    __threadfence();
    atomicExch_block(lock, 0u);
}
