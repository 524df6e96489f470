// add.sat and sub.sat of signed 32-bit numbers.
// launch: 1 x 32
// arg: a s32[32] = i * 268435456 - 2147483648 + i
// arg: b s32[32] = i % 2 == 0 ? 2000000000 : -2000000000
// arg: s s32[32]
// arg: d s32[32]
// expect: s = max(-2147483648, min(2147483647, a[i] + b[i]))
// expect: d = max(-2147483648, min(2147483647, a[i] - b[i]))
extern "C" __global__ void k(const int *a, const int *b, int *s, int *d) {
    int t = threadIdx.x, r;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a[t]), "r"(b[t]));
    s[t] = r;
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a[t]), "r"(b[t]));
    d[t] = r;
}
