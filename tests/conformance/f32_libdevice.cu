// sinf, cosf, expf, logf, powf and tanhf within the guide's bounds (at most 4 ulp).
// launch: 1 x 32
// bits: differ
// arg: a f32[32] = 0.05 + i * 0.61
// arg: s f32[32]
// arg: c f32[32]
// arg: e f32[32]
// arg: l f32[32]
// arg: p f32[32]
// arg: h f32[32]
// expect: s within 2 ulp = sin(a[i])
// expect: c within 2 ulp = cos(a[i])
// expect: e within 2 ulp = exp(a[i])
// expect: l within 2 ulp = ln(a[i])
// expect: p within 4 ulp = pow(a[i], 1.7)
// expect: h within 2 ulp = tanh(a[i])
extern "C" __global__ void k(const float *a, float *s, float *c, float *e, float *l, float *p, float *h) {
    int i = threadIdx.x;
    s[i] = sinf(a[i]);
    c[i] = cosf(a[i]);
    e[i] = expf(a[i]);
    l[i] = logf(a[i]);
    p[i] = powf(a[i], 1.7f);
    h[i] = tanhf(a[i]);
}
