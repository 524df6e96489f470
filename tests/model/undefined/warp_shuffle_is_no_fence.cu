// A shuffle synchronises registers, not memory.
// check: --kernel swap --grid 1 --block 32 --arg buf:u32:32
// expect: undefined missing-barrier
__global__ void swap(unsigned* out) {
    __shared__ unsigned tile[32];
    const unsigned t = threadIdx.x;
    tile[t] = t;  //! race
    const unsigned from = __shfl_xor_sync(0xffffffffu, t, 1);
    out[t] = tile[from];
}
