// sqrt of single precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 12
// arg: a u32[12] = [0x3f800001, 0x3f7fffff, 0xbf800003, 0x00000001, 0x007fffff, 0x7f7fffff, 0x40490fdb, 0xc2f6e979, 0x80000001,
//        0x34000000, 0x4b7fffff, 0x3eaaaaab]
// arg: rn u32[12]
// arg: rz u32[12]
// arg: ru u32[12]
// arg: rd u32[12]
// expect: rn = [0x3f800000, 0x3f7fffff, 0x3f800001, 0x1a3504f3, 0x1fffffff, 0x5f7fffff, 0x3fe2dfc5, 0x4131c6f7, 0x1a3504f3,
//        0x39b504f3, 0x457fffff, 0x3f13cd3a]
// expect: rz = [0x3f800000, 0x3f7fffff, 0x3f800001, 0x1a3504f3, 0x1ffffffe, 0x5f7fffff, 0x3fe2dfc4, 0x4131c6f7, 0x1a3504f3,
//        0x39b504f3, 0x457fffff, 0x3f13cd3a]
// expect: ru = [0x3f800001, 0x3f800000, 0x3f800002, 0x1a3504f4, 0x1fffffff, 0x5f800000, 0x3fe2dfc5, 0x4131c6f8, 0x1a3504f4,
//        0x39b504f4, 0x45800000, 0x3f13cd3b]
// expect: rd = [0x3f800000, 0x3f7fffff, 0x3f800001, 0x1a3504f3, 0x1ffffffe, 0x5f7fffff, 0x3fe2dfc4, 0x4131c6f7, 0x1a3504f3,
//        0x39b504f3, 0x457fffff, 0x3f13cd3a]
extern "C" __global__ void k(const float *a, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __fsqrt_rn(fabsf(a[t]));
    rz[t] = __fsqrt_rz(fabsf(a[t]));
    ru[t] = __fsqrt_ru(fabsf(a[t]));
    rd[t] = __fsqrt_rd(fabsf(a[t]));
}
