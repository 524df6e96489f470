// A ticket lock: draw a number, wait until it is served.
// check: --kernel add --grid 5 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
__global__ void add(unsigned* next, unsigned* serving, unsigned* value) {
    const unsigned mine = atomicAdd(next, 1u);
    while (atomicAdd(serving, 0u) != mine) {
    }
    __threadfence();
    value[0] += 1u;
    __threadfence();
    atomicAdd(serving, 1u);
}
