// add, sub, mul and mad of 16-bit types, which NVRTC seldom emits.
// launch: 1 x 32
// arg: a u16[32] = i * 2057 + 11
// arg: b u16[32] = 65535 - i * 1999
// arg: out u16[32]
// arg: wide u32[32]
// arg: high s16[32]
// expect: out = a[i] * b[i] + a[i] - b[i]
// expect: wide = a[i] * b[i]
// expect: high = s16(a[i]) * s16(b[i]) >> 16
extern "C" __global__ void k(const unsigned short *a, const unsigned short *b, unsigned short *out, unsigned *wide, short *high) {
    int t = threadIdx.x;
    unsigned short x = a[t], y = b[t], r;
    asm("mad.lo.u16 %0, %1, %2, %1;\n\tsub.u16 %0, %0, %2;" : "=&h"(r) : "h"(x), "h"(y));
    out[t] = r;
    unsigned w;
    asm("mul.wide.u16 %0, %1, %2;" : "=r"(w) : "h"(x), "h"(y));
    wide[t] = w;
    asm("mul.hi.s16 %0, %1, %2;" : "=h"(r) : "h"(x), "h"(y));
    high[t] = r;
}
