// Approximate instructions at zeros, infinities and NaN have exact results.
// launch: 1 x 6
// arg: a f32[6] = [0.0, -0.0, inf, -inf, nan, 1.0]
// arg: rcp f32[6]
// arg: rs f32[6]
// arg: e2 f32[6]
// arg: l2 f32[6]
// expect: rcp = [inf, -inf, 0.0, -0.0, nan, 1.0]
// expect: rs = [inf, -inf, 0.0, nan, nan, 1.0]
// expect: e2 = [1.0, 1.0, inf, 0.0, nan, 2.0]
// expect: l2 = [-inf, -inf, inf, nan, nan, 0.0]
extern "C" __global__ void k(const float *a, float *rcp, float *rs, float *e2, float *l2) {
    int t = threadIdx.x;
    float x = a[t], r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    rcp[t] = r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    rs[t] = r;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    e2[t] = r;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    l2[t] = r;
}
