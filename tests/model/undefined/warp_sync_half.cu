// __syncwarp names the lower half only; the upper half is read as well.
// check: --kernel swap --grid 1 --block 32 --arg buf:u32:32
// expect: undefined missing-barrier
__global__ void swap(unsigned* out) {
    __shared__ unsigned tile[32];
    const unsigned t = threadIdx.x;
    tile[t] = t;  //! race
    if (t < 16) {
        __syncwarp(0x0000ffffu);
        out[t] = tile[t + 16u];
    }
}
