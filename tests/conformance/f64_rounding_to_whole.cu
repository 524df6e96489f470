// floor, ceil, trunc, rint and round of doubles.
// launch: 1 x 32
// arg: a f64[32] = i * 0.25 - 4.0
// arg: f f64[32]
// arg: t f64[32]
// arg: r f64[32]
// arg: h f64[32]
// expect: f = floor(a[i])
// expect: t = trunc(a[i])
// expect: r = rint(a[i])
// expect: h = a[i] < 0.0 ? -floor(0.5 - a[i]) : floor(a[i] + 0.5)
extern "C" __global__ void k(const double *a, double *f, double *t, double *r, double *h) {
    int i = threadIdx.x;
    f[i] = floor(a[i]);
    t[i] = trunc(a[i]);
    r[i] = rint(a[i]);
    h[i] = round(a[i]);
}
