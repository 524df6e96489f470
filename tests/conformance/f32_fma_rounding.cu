// fma of single precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 12
// arg: a u32[12] = [0x3f800001, 0x3f7fffff, 0xbf800003, 0x00000001, 0x007fffff, 0x7f7fffff, 0x40490fdb, 0xc2f6e979, 0x80000001,
//        0x34000000, 0x4b7fffff, 0x3eaaaaab]
// arg: b u32[12] = [0x33800000, 0x3f800001, 0x3f000001, 0x3f000000, 0x00800003, 0x7f7fffff, 0xb3d6bf95, 0x42280001, 0x3f400000,
//        0xbf800000, 0x3effffff, 0xbeaaaaaa]
// arg: c u32[12] = [0x2f800001, 0xb3800000, 0x33ffffff, 0x00000003, 0x80000005, 0xff7fffff, 0x33d6bf95, 0x3f7fffff, 0x00000001,
//        0x00000000, 0xb4000001, 0x3de38e39]
// arg: rn u32[12]
// arg: rz u32[12]
// arg: ru u32[12]
// arg: rd u32[12]
// expect: rn = [0x33808001, 0x3f800000, 0xbf000002, 0x00000004, 0x80000005, 0x7f800000, 0xb465f3a7, 0xc5a20138, 0x00000000,
//        0xb4000000, 0x4afffffe, 0x318e38e4]
// expect: rz = [0x33808001, 0x3f7fffff, 0xbf000002, 0x00000003, 0x80000004, 0x7f7fffff, 0xb465f3a7, 0xc5a20138, 0x00000000,
//        0xb4000000, 0x4afffffd, 0x318e38e4]
// expect: ru = [0x33808002, 0x3f800000, 0xbf000002, 0x00000004, 0x80000004, 0x7f800000, 0xb465f3a7, 0xc5a20138, 0x00000001,
//        0xb4000000, 0x4afffffe, 0x318e38e4]
// expect: rd = [0x33808001, 0x3f7fffff, 0xbf000003, 0x00000003, 0x80000005, 0x7f7fffff, 0xb465f3a8, 0xc5a20139, 0x00000000,
//        0xb4000000, 0x4afffffd, 0x318e38e4]
extern "C" __global__ void k(const float *a, const float *b, const float *c, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __fmaf_rn(a[t], b[t], c[t]);
    rz[t] = __fmaf_rz(a[t], b[t], c[t]);
    ru[t] = __fmaf_ru(a[t], b[t], c[t]);
    rd[t] = __fmaf_rd(a[t], b[t], c[t]);
}
