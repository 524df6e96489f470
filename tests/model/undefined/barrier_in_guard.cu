// The barrier sits in a branch that part of the block does not take.
// check: --kernel guarded --grid 1 --block 64 --arg buf:u32:64 --arg i32:40
// expect: undefined barrier-skipped|divergent-barrier *
__global__ void guarded(unsigned* out, int n) {
    __shared__ unsigned tile[64];
    const int t = threadIdx.x;
    tile[t] = 0;
    __syncthreads();
    if (t < n) {
        tile[t] = t;
        __syncthreads();  //! race
        out[t] = tile[n - 1 - t];
    }
}
