// hsqrt, hexp2, hrcp and h2div within one unit of the half's last place.
// launch: 1 x 16
// bits: differ
// arg: a f16[16] = 0.5 + i * 0.75
// arg: s f16[16]
// arg: e f16[16]
// arg: r f16[16]
// expect: s within 1 ulp = sqrt(a[i])
// expect: e within 1 ulp = exp2(a[i])
// expect: r within 1 ulp = 1.0 / a[i]
#include <cuda_fp16.h>
extern "C" __global__ void k(const __half *a, __half *s, __half *e, __half *r) {
    int t = threadIdx.x;
    s[t] = hsqrt(a[t]);
    e[t] = hexp2(a[t]);
    r[t] = hrcp(a[t]);
}
