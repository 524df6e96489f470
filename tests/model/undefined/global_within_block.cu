// Threads of one block hand values on through global memory with no barrier between.
// check: --kernel rotate --grid 1 --block 128 --arg buf:u32:128:iota --arg buf:u32:128
// expect: undefined missing-barrier
__global__ void rotate(unsigned* scratch, unsigned* out) {
    const unsigned t = threadIdx.x;
    scratch[t] = t * 3u;  //! race
    out[t] = scratch[(t + 64u) % 128u];
}
