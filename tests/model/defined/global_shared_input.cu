// All threads read the same cells; nobody writes them.
// check: --kernel dot --grid 2 --block 64 --arg buf:f32:8:ones --arg buf:f32:128
// expect: defined
__global__ void dot(const float* weights, float* out) {
    float sum = 0.0f;
    for (int k = 0; k < 8; ++k) {
        sum += weights[k] * static_cast<float>(threadIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
