// expect: exit 1
// expect: percent 0..50
// Ends the whole launch from one thread.

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        tile[threadIdx.x] = in[i];
    }
    __syncthreads();
    if (i == n / 2) {
        __trap();
    }
    if (i < n) {
        out[i] = tile[blockDim.x - 1 - threadIdx.x];
    }
}
