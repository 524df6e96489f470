// A shared sum that nobody set to zero.
// check: --kernel total --grid 1 --block 64 --arg buf:u32:64:ones --arg buf:u32:1
// expect: undefined uninitialised-read
__global__ void total(const unsigned* in, unsigned* out) {
    __shared__ unsigned sum;
    atomicAdd(&sum, in[threadIdx.x]);  //! race
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = sum;
    }
}
