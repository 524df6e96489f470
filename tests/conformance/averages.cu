// __hadd, __rhadd, __uhadd and __urhadd: no overflow on the way.
// launch: 1 x 32
// arg: a s32[32] = i * 134217729 - 2000000000
// arg: b s32[32] = 2147483647 - i * 11
// arg: h s32[32]
// arg: rh s32[32]
// arg: uh u32[32]
// arg: urh u32[32]
// expect: h = a[i] + b[i] >> 1
// expect: rh = a[i] + b[i] + 1 >> 1
// expect: uh = u32(a[i]) + u32(b[i]) >> 1
// expect: urh = u32(a[i]) + u32(b[i]) + 1 >> 1
extern "C" __global__ void k(const int *a, const int *b, int *h, int *rh, unsigned *uh, unsigned *urh) {
    int t = threadIdx.x;
    h[t] = __hadd(a[t], b[t]);
    rh[t] = __rhadd(a[t], b[t]);
    uh[t] = __uhadd((unsigned)a[t], (unsigned)b[t]);
    urh[t] = __urhadd((unsigned)a[t], (unsigned)b[t]);
}
