// __device__ variables with initial values, written by one block's threads and read after a barrier.
// launch: 1 x 32
// arg: out s32[32]
// expect: out = 31 - i + (i % 3 == 0 ? 1 : i % 3 == 1 ? -2 : 3) + 10
__device__ int numbers[3] = {1, -2, 3};
__device__ int scratch[32];
__device__ short ten = 10;
extern "C" __global__ void k(int *out) {
    int t = threadIdx.x;
    scratch[t] = t;
    __syncthreads();
    out[t] = scratch[31 - t] + numbers[t % 3] + ten;
}
