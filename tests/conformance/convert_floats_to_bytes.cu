// Floats to 8- and 16-bit integers clamp to the narrow type.
// launch: 1 x 8
// arg: a f32[8] = [-300.5, -1.0, -0.4, 0.6, 127.5, 254.9, 300.0, 70000.0]
// arg: u8o u32[8]
// arg: s8o s32[8]
// arg: s16o s32[8]
// expect: u8o = [0, 0, 0, 0, 127, 254, 255, 255]
// expect: s8o = [-128, -1, 0, 0, 127, 127, 127, 127]
// expect: s16o = [-300, -1, 0, 0, 127, 254, 300, 32767]
extern "C" __global__ void k(const float *a, unsigned *u8o, int *s8o, int *s16o) {
    int t = threadIdx.x;
    unsigned u;
    int s;
    asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(u) : "f"(a[t]));
    u8o[t] = u;
    asm("cvt.rzi.s8.f32 %0, %1;" : "=r"(s) : "f"(a[t]));
    s8o[t] = s;
    short h;
    asm("cvt.rzi.s16.f32 %0, %1;" : "=h"(h) : "f"(a[t]));
    s16o[t] = h;
}
