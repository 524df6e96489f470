// Halves: add, sub, mul, fma, neg, abs round once each.
// launch: 1 x 32
// arg: a f16[32] = i * 0.37 - 5.0
// arg: b f16[32] = 3.3 - i * 0.21
// arg: s f16[32]
// arg: d f16[32]
// arg: m f16[32]
// arg: f f16[32]
// arg: n f16[32]
// expect: s = a[i] + b[i]
// expect: d = a[i] - b[i]
// expect: m = a[i] * b[i]
// expect: f = a[i] * b[i] + a[i]
// expect: n = -abs(a[i])
#include <cuda_fp16.h>
extern "C" __global__ void k(const __half *a, const __half *b, __half *s, __half *d, __half *m, __half *f, __half *n) {
    int t = threadIdx.x;
    s[t] = __hadd_rn(a[t], b[t]);
    d[t] = __hsub_rn(a[t], b[t]);
    m[t] = __hmul_rn(a[t], b[t]);
    f[t] = __hfma(a[t], b[t], a[t]);
    n[t] = __hneg(__habs(a[t]));
}
