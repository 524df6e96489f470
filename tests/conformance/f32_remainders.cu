// fmodf is exact; ldexpf, frexpf, logbf and nextafterf take floats apart.
// launch: 1 x 32
// arg: a f32[32] = i * 7.3 - 90.0
// arg: m f32[32]
// arg: l f32[32]
// arg: fr f32[32]
// arg: ex s32[32]
// expect: m = a[i] % 2.6f
// expect: l = a[i] * exp2(i - 16)
// expect: fr = a[i] / exp2(exponent(a[i]))
// expect: ex = exponent(a[i])
extern "C" __global__ void k(const float *a, float *m, float *l, float *fr, int *ex) {
    int i = threadIdx.x;
    m[i] = fmodf(a[i], 2.6f);
    l[i] = ldexpf(a[i], i - 16);
    int e;
    fr[i] = frexpf(a[i], &e);
    ex[i] = e;
}
