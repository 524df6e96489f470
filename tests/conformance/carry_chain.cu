// add.cc, addc, sub.cc and subc: 128-bit sums and differences.
// launch: 1 x 32
// arg: a u64[64] = i % 2 == 0 ? 0xffffffffffffffff - i : i * 0x1234567
// arg: b u64[64] = i % 2 == 0 ? i * 0x9e3779b97f4a7c15 : i * i
// arg: s u64[64]
// arg: d u64[64]
// expect: s = i % 2 == 0 ? a[i] + b[i] : a[i] + b[i] + (a[i - 1] + b[i - 1] >> 64)
// expect: d = i % 2 == 0 ? a[i] - b[i] : a[i] - b[i] - (a[i - 1] < b[i - 1])
extern "C" __global__ void k(const unsigned long long *a, const unsigned long long *b, unsigned long long *s, unsigned long long *d) {
    int t = 2 * threadIdx.x;
    unsigned long long lo, hi;
    asm("add.cc.u64 %0, %2, %4;\n\taddc.u64 %1, %3, %5;" : "=l"(lo), "=l"(hi) : "l"(a[t]), "l"(a[t + 1]), "l"(b[t]), "l"(b[t + 1]));
    s[t] = lo;
    s[t + 1] = hi;
    asm("sub.cc.u64 %0, %2, %4;\n\tsubc.u64 %1, %3, %5;" : "=l"(lo), "=l"(hi) : "l"(a[t]), "l"(a[t + 1]), "l"(b[t]), "l"(b[t + 1]));
    d[t] = lo;
    d[t + 1] = hi;
}
