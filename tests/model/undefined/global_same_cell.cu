// Every block writes its own number to one cell; nothing orders the writes.
// check: --kernel lastWriterWins --grid 4 --block 1 --arg buf:u32:1:zero
// expect: undefined missing-atomic|data-race|missing-fence
__global__ void lastWriterWins(unsigned* out) {
    out[0] = blockIdx.x;  //! race
}
