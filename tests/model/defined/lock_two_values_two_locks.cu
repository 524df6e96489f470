// Each value has its own lock.
// check: --kernel add --grid 6 --block 1 --arg buf:u32:2:zero --arg buf:u32:2:zero
// expect: defined
__global__ void add(unsigned* locks, unsigned* values) {
    const unsigned which = blockIdx.x % 2u;
    while (atomicCAS(&locks[which], 0u, 1u) != 0u) {
    }
    __threadfence();
    values[which] += 1u;
    __threadfence();
    atomicExch(&locks[which], 0u);
}
