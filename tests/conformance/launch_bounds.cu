// Launch bounds and more registers than a thread has need of.
// launch: 2 x 128
// arg: out f32[256]
// expect: out = sum(j, 0, 40, i % 128 + j)
extern "C" __global__ void __launch_bounds__(128, 2) k(float *out) {
    float v[40], s = 0;
#pragma unroll
    for (int j = 0; j < 40; ++j)
        v[j] = threadIdx.x + j;
#pragma unroll
    for (int j = 0; j < 40; ++j)
        s += v[j];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}
