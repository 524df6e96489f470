// testp (for which zero is normal), copysign, isnan, isinf, signbit.
// launch: 1 x 8
// arg: a u32[8] = [0, 0x80000000, 1, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001]
// arg: out u32[8]
// arg: sign u32[8]
// expect: out = [17, 19, 33, 17, 4, 6, 8, 10]
// expect: sign = [0x40000000, 0xc0000000, 0x40000000, 0x40000000, 0x40000000, 0xc0000000, 0x40000000, 0xc0000000]
extern "C" __global__ void k(const float *a, unsigned *out, float *sign) {
    int t = threadIdx.x;
    float x = a[t];
    unsigned n, s;
    asm("{ .reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 16, 0, p; }" : "=r"(n) : "f"(x));
    asm("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 32, 0, p; }" : "=r"(s) : "f"(x));
    out[t] = isfinite(x) | (signbit(x) ? 2 : 0) | (isinf(x) ? 4 : 0) | (isnan(x) ? 8 : 0) | n | s;
    sign[t] = copysignf(2.0f, x);
}
