// Rows and columns swapped: past the end on the last rows.
// check: --kernel grid2d --grid 1,1 --block 8,16 --arg buf:u32:128
// expect: undefined out-of-bounds *
__global__ void grid2d(unsigned* out) {
    out[threadIdx.y * 16u + threadIdx.x] = 1u;  //! race
}
