// Doubles: min, max, abs, neg, copysign.
// launch: 1 x 16
// arg: a f64[16] = i * 0.75 - 6.0
// arg: b f64[16] = 5.0 - i * 0.5
// arg: out f64[16]
// arg: sign f64[16]
// expect: out = min(a[i], b[i]) * 3.0 - max(a[i], -b[i])
// expect: sign = b[i] < 0.0 ? -abs(a[i]) : abs(a[i])
extern "C" __global__ void k(const double *a, const double *b, double *out, double *sign) {
    int t = threadIdx.x;
    out[t] = __dsub_rn(__dmul_rn(fmin(a[t], b[t]), 3.0), fmax(a[t], -b[t]));
    sign[t] = copysign(a[t], b[t]);
}
