// Threads past the end return; there is no barrier to miss.
// check: --kernel scale --grid 2 --block 64 --arg buf:f32:100:iota --arg i32:100
// expect: defined
__global__ void scale(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    data[i] *= 2.0f;
}
