// Shifts; in PTX an amount of the width or more gives zero or the sign.
// launch: 1 x 40
// arg: a s32[40] = i * 0x12345679 - 0x40000000
// arg: l u32[40]
// arg: r u32[40]
// arg: sr s32[40]
// expect: l = i > 31 ? 0 : a[i] << i
// expect: r = i > 31 ? 0 : u32(a[i]) >> i
// expect: sr = a[i] >> i
extern "C" __global__ void k(const int *a, unsigned *l, unsigned *r, int *sr) {
    unsigned t = threadIdx.x, x;
    asm("shl.b32 %0, %1, %2;" : "=r"(x) : "r"(a[t]), "r"(t));
    l[t] = x;
    asm("shr.u32 %0, %1, %2;" : "=r"(x) : "r"(a[t]), "r"(t));
    r[t] = x;
    int y;
    asm("shr.s32 %0, %1, %2;" : "=r"(y) : "r"(a[t]), "r"(t));
    sr[t] = y;
}
