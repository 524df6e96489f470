// sin, cos, tan and atan2 of doubles, large arguments among them; the guide's bounds are 2 ulp and less.
// launch: 1 x 32
// bits: differ
// arg: a f64[32] = i < 24 ? i * 0.37 - 4.0 : (i - 23) * 123456789.125
// arg: s f64[32]
// arg: c f64[32]
// arg: t f64[32]
// arg: at f64[32]
// expect: s within 2 ulp = sin(a[i])
// expect: c within 2 ulp = cos(a[i])
// expect: t within 3 ulp = tan(a[i])
// expect: at within 2 ulp = atan2(a[i], 2.5)
extern "C" __global__ void k(const double *a, double *s, double *c, double *t, double *at) {
    int i = threadIdx.x;
    s[i] = sin(a[i]);
    c[i] = cos(a[i]);
    t[i] = tan(a[i]);
    at[i] = atan2(a[i], 2.5);
}
