// The value is read once outside the lock.
// check: --kernel add --grid 4 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero --arg buf:u32:4
// expect: undefined missing-fence|data-race|missing-atomic
__global__ void add(unsigned* lock, unsigned* value, unsigned* seen) {
    seen[blockIdx.x] = value[0];  //! race
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    __threadfence();
    value[0] += 1u;
    __threadfence();
    atomicExch(lock, 0u);
}
