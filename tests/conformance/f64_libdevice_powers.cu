// exp, log, pow and cbrt of doubles within 2 ulp.
// launch: 1 x 32
// bits: differ
// arg: a f64[32] = 0.01 + i * 0.7
// arg: e f64[32]
// arg: l f64[32]
// arg: p f64[32]
// arg: c f64[32]
// expect: e within 1 ulp = exp(a[i])
// expect: l within 1 ulp = ln(a[i])
// expect: p within 2 ulp = pow(a[i], 2.7)
// expect: c within 1 ulp = cbrt(a[i])
extern "C" __global__ void k(const double *a, double *e, double *l, double *p, double *c) {
    int i = threadIdx.x;
    e[i] = exp(a[i]);
    l[i] = log(a[i]);
    p[i] = pow(a[i], 2.7);
    c[i] = cbrt(a[i]);
}
