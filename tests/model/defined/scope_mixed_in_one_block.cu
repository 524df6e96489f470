// Device and block scope on one cell, but within one block.
// check: --kernel tally --grid 1 --block 64 --arg buf:u32:1:zero
// expect: defined
__global__ void tally(unsigned* count) {
    if (threadIdx.x % 2u == 0u) {
        atomicAdd(count, 1u);
    } else {
        atomicAdd_block(count, 1u);
    }
}
