// The same counter with a device-scope atomic.
// check: --kernel count --grid 8 --block 64 --arg buf:u32:1:zero
// expect: defined
__global__ void count(unsigned* counter) {
    atomicAdd(counter, 1u);
}
