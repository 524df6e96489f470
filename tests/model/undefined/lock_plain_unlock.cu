// Unlocked by a plain store: a race on the lock word.
// check: --kernel add --grid 4 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined missing-atomic|data-race|missing-fence
__global__ void add(unsigned* lock, unsigned* value) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    __threadfence();
    value[0] += 1u;
    __threadfence();
    lock[0] = 0u;  //! race
}
