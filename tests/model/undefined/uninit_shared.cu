// Half of the tile is never written, all of it is read.
// check: --kernel half --grid 1 --block 64 --arg buf:u32:64
// expect: undefined uninitialised-read
__global__ void half(unsigned* out) {
    __shared__ unsigned tile[64];
    const unsigned t = threadIdx.x;
    if (t < 32) {
        tile[t] = t;
    }
    __syncthreads();
    out[t] = tile[t];  //! race
}
