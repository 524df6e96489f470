// The upper half of a product, in four types.
// launch: 1 x 32
// arg: a u32[32] = i * 0x9e3779b9 + 0x80000000
// arg: b u32[32] = i * 0x7feb352d - 5
// arg: c u64[32] = i * 0x9e3779b97f4a7c15 + 0x8000000000000001
// arg: os s32[32]
// arg: ou u32[32]
// arg: ol s64[32]
// arg: oul u64[32]
// expect: os = s32(a[i]) * s32(b[i]) >> 32
// expect: ou = a[i] * b[i] >> 32
// expect: ol = s64(c[i]) * s32(b[i]) >> 64
// expect: oul = c[i] * b[i] >> 64
extern "C" __global__ void k(const unsigned *a, const unsigned *b, const unsigned long long *c, int *os, unsigned *ou, long long *ol,
                             unsigned long long *oul) {
    int t = threadIdx.x;
    os[t] = __mulhi((int)a[t], (int)b[t]);
    ou[t] = __umulhi(a[t], b[t]);
    ol[t] = __mul64hi((long long)c[t], (long long)(int)b[t]);
    oul[t] = __umul64hi(c[t], (unsigned long long)b[t]);
}
