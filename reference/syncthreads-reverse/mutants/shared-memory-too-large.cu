// expect: exit 1
// expect: percent 0..50
// A static array of shared memory beyond what any card gives a block that way (48 KiB).

__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK][64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int c = 0; c < 64; ++c) {
        tile[threadIdx.x][c] = in[i] + c;
    }
    __syncthreads();
    if (i < n) {
        out[i] = tile[blockDim.x - 1 - threadIdx.x][n % 64];
    }
}
