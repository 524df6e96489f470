// Many threads store the same value: shown as a note.
// check: --kernel found --grid 4 --block 32 --arg buf:u32:128:iota --arg buf:u32:1:zero
// expect: defined note:same-value-write
__global__ void found(const unsigned* in, unsigned* any) {
    if (in[blockIdx.x * 32u + threadIdx.x] % 7u == 0u) {
        any[0] = 1u;  //! note
    }
}
