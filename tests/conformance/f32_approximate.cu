// The approximate instructions: PTX bounds them, and each GPU has bits of its own.
// rcp, sqrt, rsqrt, ex2 and lg2 within 2 ulp here; sin and cos within 2^-20 absolutely near zero; division within 2 ulp.
// launch: 1 x 64
// bits: differ
// arg: a f32[64] = 0.3 + i * 0.17
// arg: rcp f32[64]
// arg: sq f32[64]
// arg: rs f32[64]
// arg: e2 f32[64]
// arg: l2 f32[64]
// arg: s f32[64]
// arg: c f32[64]
// arg: d f32[64]
// expect: rcp within 2 ulp = 1.0 / a[i]
// expect: sq within 3 ulp = sqrt(a[i])
// expect: rs within 3 ulp = 1.0 / sqrt(a[i])
// expect: e2 within 3 ulp = exp2(a[i])
// expect: l2 within 0.000001 = log2(a[i])
// expect: s within 0.000002 = sin(a[i])
// expect: c within 0.000002 = cos(a[i])
// expect: d within 3 ulp = 7.0 / a[i]
extern "C" __global__ void k(const float *a, float *rcp, float *sq, float *rs, float *e2, float *l2, float *s, float *c, float *d) {
    int t = threadIdx.x;
    float x = a[t], r;
    asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    rcp[t] = r;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    sq[t] = r;
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    rs[t] = r;
    asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    e2[t] = r;
    asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    l2[t] = r;
    s[t] = __sinf(x);
    c[t] = __cosf(x);
    d[t] = __fdividef(7.0f, x);
}
