// bfe, bfi and bfind; fields that reach beyond the top.
// launch: 1 x 32
// arg: a u32[32] = i * 0x9e3779b9 + 0x80000001
// arg: e u32[32]
// arg: se s32[32]
// arg: ins u32[32]
// arg: top u32[32]
// arg: stop u32[32]
// expect: e = a[i] >> i & (1 << min(9, 32 - i)) - 1
// expect: se = i > 22 ? s32(a[i]) >> i : s32(a[i] << 23 - i) >> 23
// expect: ins = a[i] & ~u32(0x1ff << i) | u32((0x155 & 0x1ff) << i)
// expect: top = highest(a[i])
// expect: stop = highest(s32(a[i]) < 0 ? ~a[i] & 0xffffffff : a[i])
extern "C" __global__ void k(const unsigned *a, unsigned *e, int *se, unsigned *ins, unsigned *top, unsigned *stop) {
    unsigned t = threadIdx.x, x;
    int y;
    asm("bfe.u32 %0, %1, %2, 9;" : "=r"(x) : "r"(a[t]), "r"(t));
    e[t] = x;
    asm("bfe.s32 %0, %1, %2, 9;" : "=r"(y) : "r"(a[t]), "r"(t));
    se[t] = y;
    asm("bfi.b32 %0, %1, %2, %3, 9;" : "=r"(x) : "r"(0x155), "r"(a[t]), "r"(t));
    ins[t] = x;
    asm("bfind.u32 %0, %1;" : "=r"(x) : "r"(a[t]));
    top[t] = x;
    asm("bfind.s32 %0, %1;" : "=r"(x) : "r"(a[t]));
    stop[t] = x;
}
