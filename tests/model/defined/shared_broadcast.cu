// Thread 0 sets a shared value; a barrier hands it on.
// check: --kernel broadcast --grid 2 --block 64 --arg buf:u32:128
// expect: defined
__global__ void broadcast(unsigned* out) {
    __shared__ unsigned value;
    if (threadIdx.x == 0) {
        value = 7u + blockIdx.x;
    }
    __syncthreads();
    out[blockIdx.x * 64u + threadIdx.x] = value;
}
