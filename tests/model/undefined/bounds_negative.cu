// The left neighbour of element 0.
// check: --kernel diff --grid 1 --block 64 --arg buf:i32:64:iota --arg buf:i32:64
// expect: undefined out-of-bounds
__global__ void diff(const int* in, int* out) {
    const int i = threadIdx.x;
    out[i] = in[i] - in[i - 1];  //! race
}
