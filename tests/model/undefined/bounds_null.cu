// A null pointer.
// check: --kernel store --grid 1 --block 1 --arg u64:0
// expect: undefined out-of-bounds
__global__ void store(unsigned* out) {
    out[0] = 1u;  //! race
}
