// The grid-stride loop.
// launch: 3 x 32
// arg: a f32[1000] = i * 0.25
// arg: n u32 = 1000
// arg: out f32[1000]
// expect: out = a[i] * 2.0 + 1.0
extern "C" __global__ void k(const float *a, unsigned n, float *out) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = a[i] * 2 + 1;
}
