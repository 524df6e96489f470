// Block 0 does not take the lock at all.
// check: --kernel add --grid 4 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined missing-fence|data-race|missing-atomic
__global__ void add(unsigned* lock, unsigned* value) {
    if (blockIdx.x != 0) {
        while (atomicCAS(lock, 0u, 1u) != 0u) {
        }
        __threadfence();
    }
    value[0] += 1u;  //! race
    if (blockIdx.x != 0) {
        __threadfence();
        atomicExch(lock, 0u);
    }
}
