// More threads than elements, and no guard.
// check: --kernel fill --grid 2 --block 64 --arg buf:u32:100
// expect: undefined out-of-bounds
__global__ void fill(unsigned* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1u;  //! race
}
