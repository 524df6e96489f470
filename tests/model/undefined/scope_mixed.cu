// One block uses device scope, the other block scope, on one cell.
// check: --kernel tally --grid 2 --block 32 --arg buf:u32:1:zero
// expect: undefined atomic-scope-too-narrow
__global__ void tally(unsigned* count) {
    if (blockIdx.x == 0) {
        atomicAdd(count, 1u);
    } else {
        atomicAdd_block(count, 1u);  //! race
    }
}
