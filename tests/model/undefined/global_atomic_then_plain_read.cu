// Block 0 reads the counter with a plain load while the others still add.
// check: --kernel peek --grid 4 --block 32 --arg buf:u32:1:zero --arg buf:u32:1
// expect: undefined missing-atomic|data-race|missing-fence *
__global__ void peek(unsigned* counter, unsigned* seen) {
    atomicAdd(counter, 1u);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        seen[0] = counter[0];  //! race
    }
}
