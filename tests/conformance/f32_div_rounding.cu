// div of single precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 12
// arg: a u32[12] = [0x3f800001, 0x3f7fffff, 0xbf800003, 0x00000001, 0x007fffff, 0x7f7fffff, 0x40490fdb, 0xc2f6e979, 0x80000001,
//        0x34000000, 0x4b7fffff, 0x3eaaaaab]
// arg: b u32[12] = [0x33800000, 0x3f800001, 0x3f000001, 0x3f000000, 0x00800003, 0x7f7fffff, 0xb3d6bf95, 0x42280001, 0x3f400000,
//        0xbf800000, 0x3effffff, 0xbeaaaaaa]
// arg: rn u32[12]
// arg: rz u32[12]
// arg: ru u32[12]
// arg: rd u32[12]
// expect: rn = [0x4b800001, 0x3f7ffffd, 0xc0000002, 0x00000002, 0x3f7ffff8, 0x3f800000, 0xcbefaf3c, 0xc03c1f98, 0x80000001,
//        0xb4000000, 0x4c000000, 0xbf800001]
// expect: rz = [0x4b800001, 0x3f7ffffd, 0xc0000001, 0x00000002, 0x3f7ffff8, 0x3f800000, 0xcbefaf3b, 0xc03c1f98, 0x80000001,
//        0xb4000000, 0x4c000000, 0xbf800000]
// expect: ru = [0x4b800001, 0x3f7ffffe, 0xc0000001, 0x00000002, 0x3f7ffff9, 0x3f800000, 0xcbefaf3b, 0xc03c1f98, 0x80000001,
//        0xb4000000, 0x4c000000, 0xbf800000]
// expect: rd = [0x4b800001, 0x3f7ffffd, 0xc0000002, 0x00000002, 0x3f7ffff8, 0x3f800000, 0xcbefaf3c, 0xc03c1f99, 0x80000002,
//        0xb4000000, 0x4c000000, 0xbf800001]
extern "C" __global__ void k(const float *a, const float *b, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __fdiv_rn(a[t], b[t]);
    rz[t] = __fdiv_rz(a[t], b[t]);
    ru[t] = __fdiv_ru(a[t], b[t]);
    rd[t] = __fdiv_rd(a[t], b[t]);
}
