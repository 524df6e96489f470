// A spin lock with a fence on either side of the critical section.
// check: --kernel add --grid 6 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
__global__ void add(unsigned* lock, unsigned* value) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    __threadfence();
    value[0] += 1u;
    __threadfence();
    atomicExch(lock, 0u);
}
