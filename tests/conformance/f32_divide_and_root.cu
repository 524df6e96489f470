// Division and square root are correctly rounded without fast math.
// launch: 1 x 64
// arg: a f32[64] = 0.1 + i * 1.7
// arg: b f32[64] = 3.0 + i * 0.3
// arg: q f32[64]
// arg: r f32[64]
// arg: c f32[64]
// expect: q = f32(a[i] / b[i])
// expect: r = f32(sqrt(a[i]))
// expect: c = f32(1.0 / b[i])
extern "C" __global__ void k(const float *a, const float *b, float *q, float *r, float *c) {
    int t = threadIdx.x;
    q[t] = a[t] / b[t];
    r[t] = sqrtf(a[t]);
    c[t] = 1.0f / b[t];
}
