// tanh.approx: PTX allows a relative error of 2^-11.
// launch: 1 x 32
// bits: differ
// arg: a f32[32] = i * 0.2 - 3.0
// arg: out f32[32]
// expect: out within 0.0005 = tanh(a[i])
extern "C" __global__ void k(const float *a, float *out) {
    float r;
    asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(a[threadIdx.x]));
    out[threadIdx.x] = r;
}
