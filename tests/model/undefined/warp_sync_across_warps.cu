// __syncwarp orders one warp; the neighbour's warp is another.
// check: --kernel reverse --grid 1 --block 64 --arg buf:u32:64
// expect: undefined missing-barrier
__global__ void reverse(unsigned* out) {
    __shared__ unsigned tile[64];
    const unsigned t = threadIdx.x;
    tile[t] = t;  //! race
    __syncwarp();
    out[t] = tile[63u - t];
}
