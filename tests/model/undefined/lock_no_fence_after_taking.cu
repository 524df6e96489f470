// Released with a fence, but taken without: the critical section may begin before the lock is held.
// check: --kernel add --grid 4 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined missing-consumer-fence
__global__ void add(unsigned* lock, unsigned* value) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    value[0] += 1u;  //! race
    __threadfence();
    atomicExch(lock, 0u);
}
