// The tally at device scope.
// check: --kernel tally --grid 8 --block 64 --arg buf:u32:1:zero
// expect: defined
__global__ void tally(unsigned* count) {
    atomicAdd(count, 1u);
}
