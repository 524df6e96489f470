// The fence of the unlock stands after the unlock.
// check: --kernel add --grid 4 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined fence-after-announcement
__global__ void add(unsigned* lock, unsigned* value) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    value[0] += 1u;  //! race
    atomicExch(lock, 0u);
    __threadfence();
}
