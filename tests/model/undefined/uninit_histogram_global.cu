// Bins in a fresh buffer, counted up without clearing.
// check: --kernel histogram --grid 2 --block 32 --arg buf:u32:64:iota --arg buf:u32:8:uninit
// expect: undefined uninitialised-read
__global__ void histogram(const unsigned* in, unsigned* bins) {
    atomicAdd(&bins[in[blockIdx.x * 32u + threadIdx.x] % 8u], 1u);  //! race
}
