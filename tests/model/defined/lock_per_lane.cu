// Every lane of a warp takes the lock in turn: needs independent thread scheduling.
// check: --kernel add --grid 2 --block 8 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
__global__ void add(unsigned* lock, unsigned* value) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0u, 1u) == 0u) {
            __threadfence();
            value[0] += 1u;
            __threadfence();
            atomicExch(lock, 0u);
            done = true;
        }
    }
}
