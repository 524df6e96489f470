// Signed and unsigned division and remainder truncate towards zero.
// launch: 1 x 64
// arg: a s32[64] = i * 98765431 - 2100000000
// arg: b s32[64] = i % 2 == 0 ? i + 1 : -3 * i
// arg: q s32[64]
// arg: r s32[64]
// arg: uq u32[64]
// arg: ur u32[64]
// expect: q = a[i] / b[i]
// expect: r = a[i] % b[i]
// expect: uq = u32(a[i]) / u32(b[i])
// expect: ur = u32(a[i]) % u32(b[i])
extern "C" __global__ void k(const int *a, const int *b, int *q, int *r, unsigned *uq, unsigned *ur) {
    int t = threadIdx.x;
    q[t] = a[t] / b[t];
    r[t] = a[t] % b[t];
    uq[t] = (unsigned)a[t] / (unsigned)b[t];
    ur[t] = (unsigned)a[t] % (unsigned)b[t];
}
