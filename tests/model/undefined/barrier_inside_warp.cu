// Half a warp goes to the barrier while the other half waits at another one.
// check: --kernel halves --grid 1 --block 32 --arg buf:u32:32
// expect: undefined divergent-barrier
__global__ void halves(unsigned* out) {
    if (threadIdx.x % 2u == 0u) {
        __syncthreads();  //! race
        out[threadIdx.x] = 1u;
    } else {
        __syncthreads();  //! race
        out[threadIdx.x] = 2u;
    }
}
