// add of single precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 12
// arg: a u32[12] = [0x3f800001, 0x3f7fffff, 0xbf800003, 0x00000001, 0x007fffff, 0x7f7fffff, 0x40490fdb, 0xc2f6e979, 0x80000001,
//        0x34000000, 0x4b7fffff, 0x3eaaaaab]
// arg: b u32[12] = [0x33800000, 0x3f800001, 0x3f000001, 0x3f000000, 0x00800003, 0x7f7fffff, 0xb3d6bf95, 0x42280001, 0x3f400000,
//        0xbf800000, 0x3effffff, 0xbeaaaaaa]
// arg: rn u32[12]
// arg: rz u32[12]
// arg: ru u32[12]
// arg: rd u32[12]
// expect: rn = [0x3f800002, 0x40000000, 0xbf000005, 0x3f000000, 0x01000001, 0x7f800000, 0x40490fdb, 0xc2a2e978, 0x3f400000,
//        0xbf7ffffe, 0x4b7fffff, 0x33000000]
// expect: rz = [0x3f800001, 0x40000000, 0xbf000005, 0x3f000000, 0x01000001, 0x7f7fffff, 0x40490fda, 0xc2a2e978, 0x3f3fffff,
//        0xbf7ffffe, 0x4b7fffff, 0x33000000]
// expect: ru = [0x3f800002, 0x40000001, 0xbf000005, 0x3f000001, 0x01000001, 0x7f800000, 0x40490fdb, 0xc2a2e978, 0x3f400000,
//        0xbf7ffffe, 0x4b800000, 0x33000000]
// expect: rd = [0x3f800001, 0x40000000, 0xbf000005, 0x3f000000, 0x01000001, 0x7f7fffff, 0x40490fda, 0xc2a2e979, 0x3f3fffff,
//        0xbf7ffffe, 0x4b7fffff, 0x33000000]
extern "C" __global__ void k(const float *a, const float *b, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __fadd_rn(a[t], b[t]);
    rz[t] = __fadd_rz(a[t], b[t]);
    ru[t] = __fadd_ru(a[t], b[t]);
    rd[t] = __fadd_rd(a[t], b[t]);
}
