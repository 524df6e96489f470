// The same in double precision.
// launch: 1 x 8
// arg: a f64[8] = [0.0, -0.0, inf, -inf, nan, 1.0, -1.0, 1.7e308]
// arg: add f64[64]
// arg: mul f64[64]
// arg: div f64[64]
// expect: add = a[i / 8] + a[i % 8]
// expect: mul = a[i / 8] * a[i % 8]
// expect: div = a[i / 8] / a[i % 8]
extern "C" __global__ void k(const double *a, double *add, double *mul, double *div) {
    int t = threadIdx.x;
    for (int j = 0; j < 8; ++j) {
        add[8 * t + j] = a[t] + a[j];
        mul[8 * t + j] = a[t] * a[j];
        div[8 * t + j] = a[t] / a[j];
    }
}
