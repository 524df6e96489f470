// The classic: <= instead of <.
// check: --kernel fill --grid 1 --block 128 --arg buf:u32:100 --arg i32:100
// expect: undefined out-of-bounds
__global__ void fill(unsigned* out, int n) {
    const int i = threadIdx.x;
    if (i <= n) {
        out[i] = i;  //! race
    }
}
