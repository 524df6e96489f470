// A grid-stride loop: cells are many, but each has one owner.
// check: --kernel scale --grid 3 --block 64 --arg buf:f32:1000:iota --arg i32:1000
// expect: defined
__global__ void scale(float* data, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        data[i] = data[i] * 2.0f + 1.0f;
    }
}
