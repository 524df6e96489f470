// mul.wide, mad.lo, mad.wide and mad.hi.
// launch: 1 x 32
// arg: a s32[32] = i * 123456789 - 2000000000
// arg: b s32[32] = 1999999999 - i * 98765432
// arg: wide s64[32]
// arg: uwide u64[32]
// arg: low s32[32]
// arg: hi s32[32]
// expect: wide = a[i] * b[i] + b[i]
// expect: uwide = u32(a[i]) * u32(b[i])
// expect: low = a[i] * b[i] + 77
// expect: hi = (a[i] * b[i] >> 32) + a[i]
extern "C" __global__ void k(const int *a, const int *b, long long *wide, unsigned long long *uwide, int *low, int *hi) {
    int t = threadIdx.x;
    wide[t] = (long long)a[t] * b[t] + b[t];
    uwide[t] = (unsigned long long)(unsigned)a[t] * (unsigned)b[t];
    low[t] = a[t] * b[t] + 77;
    int h;
    asm("mad.hi.s32 %0, %1, %2, %1;" : "=r"(h) : "r"(a[t]), "r"(b[t]));
    hi[t] = h;
}
