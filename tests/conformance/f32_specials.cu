// Sums, products and quotients of infinities, NaN and signed zeros.
// launch: 1 x 8
// arg: a f32[8] = [0.0, -0.0, inf, -inf, nan, 1.0, -1.0, 3.4e38f]
// arg: add f32[64]
// arg: mul f32[64]
// arg: div f32[64]
// expect: add = f32(a[i / 8] + a[i % 8])
// expect: mul = f32(a[i / 8] * a[i % 8])
// expect: div = f32(a[i / 8] / a[i % 8])
extern "C" __global__ void k(const float *a, float *add, float *mul, float *div) {
    int t = threadIdx.x;
    for (int j = 0; j < 8; ++j) {
        add[8 * t + j] = a[t] + a[j];
        mul[8 * t + j] = a[t] * a[j];
        div[8 * t + j] = a[t] / a[j];
    }
}
