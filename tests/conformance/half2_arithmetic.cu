// Pairs of halves: both lanes at once, and the two taken apart and swapped.
// launch: 1 x 16
// arg: a f16[32] = i * 0.37 - 5.0
// arg: b f16[32] = 3.3 - i * 0.21
// arg: s f16[32]
// arg: f f16[32]
// arg: w f16[32]
// arg: g u32[16]
// expect: s = a[i] + b[i]
// expect: f = a[i] * b[i] - b[i]
// expect: w = a[i ^ 1]
// expect: g = (a[2 * i] > b[2 * i] ? 1 : 0) + (a[2 * i + 1] > b[2 * i + 1] ? 2 : 0)
#include <cuda_fp16.h>
extern "C" __global__ void k(const __half2 *a, const __half2 *b, __half2 *s, __half2 *f, __half2 *w, unsigned *g) {
    int t = threadIdx.x;
    s[t] = __hadd2_rn(a[t], b[t]);
    f[t] = __hfma2(a[t], b[t], __hneg2(b[t]));
    w[t] = __lowhigh2highlow(a[t]);
    __half2 r = __hgt2(a[t], b[t]);
    g[t] = (__low2float(r) != 0.0f ? 1 : 0) + (__high2float(r) != 0.0f ? 2 : 0);
}
