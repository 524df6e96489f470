// One of two blocks takes the lock with a fence that reaches its own block only.
// check: --kernel set --grid 2 --block 1 --arg buf:u32:1 --arg buf:u32:1:uninit
// expect: undefined fence-scope-too-narrow
__global__ void set(unsigned* lock, volatile unsigned* value) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    if (blockIdx.x == 0) {
        __threadfence_block();
        value[0] = 1u;  //! race
    } else {
        __threadfence();
        value[0] = 2u;
    }
    __threadfence();
    atomicExch(lock, 0u);
}
