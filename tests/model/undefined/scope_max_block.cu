// atomicMax at block scope over a grid.
// check: --kernel best --grid 4 --block 32 --arg buf:u32:1:zero
// expect: undefined atomic-scope-too-narrow
__global__ void best(unsigned* top) {
    atomicMax_block(top, blockIdx.x * 32u + threadIdx.x);  //! race
}
