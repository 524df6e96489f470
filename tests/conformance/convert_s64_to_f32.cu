// Signed 64-bit integers to singles in the four roundings.
// launch: 1 x 10
// arg: a s64[10] = [0, 1, -1, 9007199254740993, 9007199254740995, -9007199254740993, 9223372036854775807, -9223372036854775808,
//        1234567890123456789, -16777217]
// arg: rn u32[10]
// arg: rz u32[10]
// arg: ru u32[10]
// arg: rd u32[10]
// expect: rn = [0x00000000, 0x3f800000, 0xbf800000, 0x5a000000, 0x5a000000, 0xda000000, 0x5f000000, 0xdf000000, 0x5d891088,
//        0xcb800000]
// expect: rz = [0x00000000, 0x3f800000, 0xbf800000, 0x5a000000, 0x5a000000, 0xda000000, 0x5effffff, 0xdf000000, 0x5d891087,
//        0xcb800000]
// expect: ru = [0x00000000, 0x3f800000, 0xbf800000, 0x5a000001, 0x5a000001, 0xda000000, 0x5f000000, 0xdf000000, 0x5d891088,
//        0xcb800000]
// expect: rd = [0x00000000, 0x3f800000, 0xbf800000, 0x5a000000, 0x5a000000, 0xda000001, 0x5effffff, 0xdf000000, 0x5d891087,
//        0xcb800001]
extern "C" __global__ void k(const long long *a, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __ll2float_rn(a[t]);
    rz[t] = __ll2float_rz(a[t]);
    ru[t] = __ll2float_ru(a[t]);
    rd[t] = __ll2float_rd(a[t]);
}
