// cvt.sat between integer types clamps.
// launch: 1 x 8
// arg: a s32[8] = [-2147483648, -129, -128, -1, 127, 128, 255, 70000]
// arg: s8o s32[8]
// arg: u8o u32[8]
// arg: s16o s32[8]
// arg: u32o u32[8]
// expect: s8o = max(-128, min(127, a[i]))
// expect: u8o = max(0, min(255, a[i]))
// expect: s16o = max(-32768, min(32767, a[i]))
// expect: u32o = max(0, a[i])
extern "C" __global__ void k(const int *a, int *s8o, unsigned *u8o, int *s16o, unsigned *u32o) {
    int t = threadIdx.x, r;
    unsigned u;
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(a[t]));
    s8o[t] = r;
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(u) : "r"(a[t]));
    u8o[t] = u;
    short h;
    asm("cvt.sat.s16.s32 %0, %1;" : "=h"(h) : "r"(a[t]));
    s16o[t] = h;
    asm("cvt.sat.u32.s32 %0, %1;" : "=r"(u) : "r"(a[t]));
    u32o[t] = u;
}
