// Block-scope atomics, each block on its own cell.
// check: --kernel tally --grid 8 --block 64 --arg buf:u32:8:zero
// expect: defined
__global__ void tally(unsigned* counts) {
    atomicAdd_block(&counts[blockIdx.x], 1u);
}
