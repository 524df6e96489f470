// fmin and fmax take the number when the other is NaN; -0 is less than 0.
// launch: 1 x 6
// arg: a f32[6] = [0.0, -0.0, 1.5, -2.0, inf, nan]
// arg: lo f32[36]
// arg: hi f32[36]
// expect: lo = a[i / 6] != a[i / 6] ? a[i % 6] : a[i % 6] != a[i % 6] ? a[i / 6] : a[i / 6] < a[i % 6] ? a[i / 6] : a[i / 6] > a[i % 6] ? a[i % 6] : i == 0 ? 0.0 : i < 12 && i % 6 < 2 ? -0.0 : a[i / 6]
// expect: hi = a[i / 6] != a[i / 6] ? a[i % 6] : a[i % 6] != a[i % 6] ? a[i / 6] : a[i / 6] > a[i % 6] ? a[i / 6] : a[i / 6] < a[i % 6] ? a[i % 6] : i == 7 ? -0.0 : i < 12 && i % 6 < 2 ? 0.0 : a[i / 6]
extern "C" __global__ void k(const float *a, float *lo, float *hi) {
    int t = threadIdx.x;
    for (int j = 0; j < 6; ++j) {
        lo[6 * t + j] = fminf(a[t], a[j]);
        hi[6 * t + j] = fmaxf(a[t], a[j]);
    }
}
