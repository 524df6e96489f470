// Two locks guard one value.
// check: --kernel add --grid 4 --block 1 --arg buf:u32:2:zero --arg buf:u32:1:zero
// expect: undefined missing-fence|data-race|missing-atomic
__global__ void add(unsigned* locks, unsigned* value) {
    unsigned* lock = &locks[blockIdx.x % 2u];
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    __threadfence();
    value[0] += 1u;  //! race
    __threadfence();
    atomicExch(lock, 0u);
}
