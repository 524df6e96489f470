// Doubles: fma, division and square root, each rounded once.
// launch: 1 x 32
// arg: a f64[32] = 1.0 + i * 2.220446049250313e-16
// arg: b f64[32] = 0.3 + i * 0.7
// arg: f f64[32]
// arg: q f64[32]
// arg: r f64[32]
// expect: f = fma(a[i], b[i], -b[i])
// expect: q = a[i] / b[i]
// expect: r = sqrt(b[i])
extern "C" __global__ void k(const double *a, const double *b, double *f, double *q, double *r) {
    int i = threadIdx.x;
    f[i] = fma(a[i], b[i], -b[i]);
    q[i] = a[i] / b[i];
    r[i] = sqrt(b[i]);
}
