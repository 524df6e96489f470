// 64-bit division and remainder.
// launch: 1 x 32
// arg: a s64[32] = i * 987654321987654321 - 9000000000000000000
// arg: b s64[32] = i % 2 == 0 ? i * 1000003 + 1 : -7 * i * 4294967296
// arg: q s64[32]
// arg: r s64[32]
// arg: uq u64[32]
// arg: ur u64[32]
// expect: q = a[i] / b[i]
// expect: r = a[i] % b[i]
// expect: uq = u64(a[i]) / u64(b[i])
// expect: ur = u64(a[i]) % u64(b[i])
extern "C" __global__ void k(const long long *a, const long long *b, long long *q, long long *r, unsigned long long *uq,
                             unsigned long long *ur) {
    int t = threadIdx.x;
    q[t] = a[t] / b[t];
    r[t] = a[t] % b[t];
    uq[t] = (unsigned long long)a[t] / (unsigned long long)b[t];
    ur[t] = (unsigned long long)a[t] % (unsigned long long)b[t];
}
