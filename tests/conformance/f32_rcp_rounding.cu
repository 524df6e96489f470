// rcp of single precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 12
// arg: a u32[12] = [0x3f800001, 0x3f7fffff, 0xbf800003, 0x00000001, 0x007fffff, 0x7f7fffff, 0x40490fdb, 0xc2f6e979, 0x80000001,
//        0x34000000, 0x4b7fffff, 0x3eaaaaab]
// arg: rn u32[12]
// arg: rz u32[12]
// arg: ru u32[12]
// arg: rd u32[12]
// expect: rn = [0x3f7ffffe, 0x3f800001, 0xbf7ffffa, 0x7f800000, 0x7e800001, 0x00200000, 0x3ea2f983, 0xbc04b614, 0xff800000,
//        0x4b000000, 0x33800001, 0x40400000]
// expect: rz = [0x3f7ffffe, 0x3f800000, 0xbf7ffffa, 0x7f7fffff, 0x7e800001, 0x00200000, 0x3ea2f983, 0xbc04b614, 0xff7fffff,
//        0x4b000000, 0x33800000, 0x403fffff]
// expect: ru = [0x3f7fffff, 0x3f800001, 0xbf7ffffa, 0x7f800000, 0x7e800002, 0x00200001, 0x3ea2f984, 0xbc04b614, 0xff7fffff,
//        0x4b000000, 0x33800001, 0x40400000]
// expect: rd = [0x3f7ffffe, 0x3f800000, 0xbf7ffffb, 0x7f7fffff, 0x7e800001, 0x00200000, 0x3ea2f983, 0xbc04b615, 0xff800000,
//        0x4b000000, 0x33800000, 0x403fffff]
extern "C" __global__ void k(const float *a, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __frcp_rn(a[t]);
    rz[t] = __frcp_rz(a[t]);
    ru[t] = __frcp_ru(a[t]);
    rd[t] = __frcp_rd(a[t]);
}
