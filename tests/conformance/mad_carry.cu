// mad.lo.cc and madc.hi: a 64-bit product with accumulation, from 32-bit halves.
// launch: 1 x 32
// arg: a u32[32] = i * 0x9e3779b9 + 0xf0000001
// arg: b u32[32] = 0xffffffff - i * 0x01234567
// arg: out u64[32]
// expect: out = a[i] * b[i] + (a[i] << 32 | b[i])
extern "C" __global__ void k(const unsigned *a, const unsigned *b, unsigned long long *out) {
    int t = threadIdx.x;
    unsigned lo, hi;
    asm("mad.lo.cc.u32 %0, %2, %3, %3;\n\tmadc.hi.u32 %1, %2, %3, %2;" : "=&r"(lo), "=r"(hi) : "r"(a[t]), "r"(b[t]));
    out[t] = (unsigned long long)hi << 32 | lo;
}
