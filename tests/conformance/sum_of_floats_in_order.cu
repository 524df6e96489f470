// A serial float sum keeps its order of additions.
// launch: 1 x 1
// arg: a f32[64] = 1.0 / (i + 1)
// arg: out f32[1]
// arg: d f64[1]
// expect: d = sum(j, 0, 64, f64(a[j]))
// expect: out within 0 ulp = 4.743891716003418
extern "C" __global__ void k(const float *a, float *out, double *d) {
    float s = 0;
    double e = 0;
    for (int j = 0; j < 64; ++j) {
        s += a[j];
        e += a[j];
    }
    *out = s;
    *d = e;
}
