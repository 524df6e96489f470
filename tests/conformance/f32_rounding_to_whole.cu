// floor, ceil, trunc, rint and round.
// launch: 1 x 32
// arg: a f32[32] = i * 0.25 - 4.0
// arg: f f32[32]
// arg: c f32[32]
// arg: t f32[32]
// arg: r f32[32]
// arg: h f32[32]
// expect: f = floor(a[i])
// expect: c = a[i] > -1.0 && a[i] < 0.0 ? -0.0 : ceil(a[i])
// expect: t = trunc(a[i])
// expect: r = rint(a[i])
// expect: h = a[i] < 0.0 ? -floor(0.5 - a[i]) : floor(a[i] + 0.5)
extern "C" __global__ void k(const float *a, float *f, float *c, float *t, float *r, float *h) {
    int i = threadIdx.x;
    f[i] = floorf(a[i]);
    c[i] = ceilf(a[i]);
    t[i] = truncf(a[i]);
    r[i] = rintf(a[i]);
    h[i] = roundf(a[i]);
}
