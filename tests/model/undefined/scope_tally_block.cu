// A grid-wide tally with block-scope atomics.
// check: --kernel tally --grid 8 --block 64 --arg buf:u32:1:zero
// expect: undefined atomic-scope-too-narrow
__global__ void tally(unsigned* count) {
    atomicAdd_block(count, 1u);  //! race
}
