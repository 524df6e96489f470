// Odd threads all write b[0], by the instruction with which even threads write a.
// check: --kernel k --grid 1 --block 32 --arg buf:u32:32:zero --arg buf:u32:32:zero
// expect: undefined missing-barrier
__global__ void k(unsigned* a, unsigned* b) {
    const bool odd = threadIdx.x & 1u;
    unsigned* to = odd ? b : a + threadIdx.x;
    *to = threadIdx.x;  //! race
}
