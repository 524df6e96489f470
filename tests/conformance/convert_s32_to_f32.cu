// Signed 32-bit integers to singles in the four roundings.
// launch: 1 x 12
// arg: a s32[12] = [0, 1, -1, 16777217, 16777219, -16777217, 2147483647, -2147483648, 2147483520, 123456789, -987654321, 33554434]
// arg: rn u32[12]
// arg: rz u32[12]
// arg: ru u32[12]
// arg: rd u32[12]
// expect: rn = [0x00000000, 0x3f800000, 0xbf800000, 0x4b800000, 0x4b800002, 0xcb800000, 0x4f000000, 0xcf000000, 0x4effffff,
//        0x4ceb79a3, 0xce6b79a3, 0x4c000000]
// expect: rz = [0x00000000, 0x3f800000, 0xbf800000, 0x4b800000, 0x4b800001, 0xcb800000, 0x4effffff, 0xcf000000, 0x4effffff,
//        0x4ceb79a2, 0xce6b79a2, 0x4c000000]
// expect: ru = [0x00000000, 0x3f800000, 0xbf800000, 0x4b800001, 0x4b800002, 0xcb800000, 0x4f000000, 0xcf000000, 0x4effffff,
//        0x4ceb79a3, 0xce6b79a2, 0x4c000001]
// expect: rd = [0x00000000, 0x3f800000, 0xbf800000, 0x4b800000, 0x4b800001, 0xcb800001, 0x4effffff, 0xcf000000, 0x4effffff,
//        0x4ceb79a2, 0xce6b79a3, 0x4c000000]
extern "C" __global__ void k(const int *a, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __int2float_rn(a[t]);
    rz[t] = __int2float_rz(a[t]);
    ru[t] = __int2float_ru(a[t]);
    rd[t] = __int2float_rd(a[t]);
}
