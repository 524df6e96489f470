// 64-bit shifts by a 32-bit amount, up to and beyond the width.
// launch: 1 x 72
// arg: a s64[72] = i * 0x123456789abcdef1 - 0x4000000000000000
// arg: l u64[72]
// arg: r u64[72]
// arg: sr s64[72]
// expect: l = i > 63 ? 0 : (a[i] & 0xffffffffffffffff >> i) << i
// expect: r = i > 63 ? 0 : u64(a[i]) >> i
// expect: sr = a[i] >> i
extern "C" __global__ void k(const long long *a, unsigned long long *l, unsigned long long *r, long long *sr) {
    unsigned t = threadIdx.x;
    unsigned long long x;
    asm("shl.b64 %0, %1, %2;" : "=l"(x) : "l"(a[t]), "r"(t));
    l[t] = x;
    asm("shr.u64 %0, %1, %2;" : "=l"(x) : "l"(a[t]), "r"(t));
    r[t] = x;
    long long y;
    asm("shr.s64 %0, %1, %2;" : "=l"(y) : "l"(a[t]), "r"(t));
    sr[t] = y;
}
