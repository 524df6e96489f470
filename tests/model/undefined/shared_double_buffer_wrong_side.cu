// Double buffering that reads the side being written.
// check: --kernel stages --grid 1 --block 64 --arg buf:u32:64:iota
// expect: undefined missing-barrier
__global__ void stages(unsigned* data) {
    __shared__ unsigned tile[2][64];
    const unsigned t = threadIdx.x;
    tile[0][t] = data[t];
    tile[1][t] = 0;
    __syncthreads();
    unsigned side = 0;
    for (int k = 0; k < 3; ++k) {
        tile[side][t] = tile[side][(t + 1u) % 64u] + 1u;  //! race
        side ^= 1u;
        __syncthreads();
    }
    data[t] = tile[side][t];
}
