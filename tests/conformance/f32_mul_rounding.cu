// mul of single precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 12
// arg: a u32[12] = [0x3f800001, 0x3f7fffff, 0xbf800003, 0x00000001, 0x007fffff, 0x7f7fffff, 0x40490fdb, 0xc2f6e979, 0x80000001,
//        0x34000000, 0x4b7fffff, 0x3eaaaaab]
// arg: b u32[12] = [0x33800000, 0x3f800001, 0x3f000001, 0x3f000000, 0x00800003, 0x7f7fffff, 0xb3d6bf95, 0x42280001, 0x3f400000,
//        0xbf800000, 0x3effffff, 0xbeaaaaaa]
// arg: rn u32[12]
// arg: rz u32[12]
// arg: ru u32[12]
// arg: rd u32[12]
// expect: rn = [0x33800001, 0x3f800000, 0xbf000004, 0x00000000, 0x00000000, 0x7f800000, 0xb4a8a9b9, 0xc5a20938, 0x80000001,
//        0xb4000000, 0x4afffffe, 0xbde38e38]
// expect: rz = [0x33800001, 0x3f800000, 0xbf000004, 0x00000000, 0x00000000, 0x7f7fffff, 0xb4a8a9b8, 0xc5a20938, 0x80000000,
//        0xb4000000, 0x4afffffe, 0xbde38e38]
// expect: ru = [0x33800001, 0x3f800001, 0xbf000004, 0x00000001, 0x00000001, 0x7f800000, 0xb4a8a9b8, 0xc5a20938, 0x80000000,
//        0xb4000000, 0x4affffff, 0xbde38e38]
// expect: rd = [0x33800001, 0x3f800000, 0xbf000005, 0x00000000, 0x00000000, 0x7f7fffff, 0xb4a8a9b9, 0xc5a20939, 0x80000001,
//        0xb4000000, 0x4afffffe, 0xbde38e39]
extern "C" __global__ void k(const float *a, const float *b, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __fmul_rn(a[t], b[t]);
    rz[t] = __fmul_rz(a[t], b[t]);
    ru[t] = __fmul_ru(a[t], b[t]);
    rd[t] = __fmul_rd(a[t], b[t]);
}
