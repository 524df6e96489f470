// Halo reads from one buffer, writes to another.
// check: --kernel blur --grid 4 --block 64 --arg buf:f32:256:iota --arg buf:f32:256:zero --arg i32:256
// expect: defined
__global__ void blur(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
    }
}
