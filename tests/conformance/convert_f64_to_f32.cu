// Doubles to singles in the four roundings, with overflow and denormals.
// launch: 1 x 12
// arg: a u64[12] = [0x3ff0000000000001, 0x3ff0000010000000, 0x3ff0000030000000, 0xbff0000010000001, 0x36a0000000000000,
//        0x3690000000000000, 0x3690000000000001, 0x47efffffefffffff, 0x47effffff0000000, 0x7fe0000000000000, 0xb800000000000001,
//        0x3810000000000001]
// arg: rn u32[12]
// arg: rz u32[12]
// arg: ru u32[12]
// arg: rd u32[12]
// expect: rn = [0x3f800000, 0x3f800000, 0x3f800002, 0xbf800001, 0x00000001, 0x00000000, 0x00000001, 0x7f7fffff, 0x7f800000,
//        0x7f800000, 0x80400000, 0x00800000]
// expect: rz = [0x3f800000, 0x3f800000, 0x3f800001, 0xbf800000, 0x00000001, 0x00000000, 0x00000000, 0x7f7fffff, 0x7f7fffff,
//        0x7f7fffff, 0x80400000, 0x00800000]
// expect: ru = [0x3f800001, 0x3f800001, 0x3f800002, 0xbf800000, 0x00000001, 0x00000001, 0x00000001, 0x7f800000, 0x7f800000,
//        0x7f800000, 0x80400000, 0x00800001]
// expect: rd = [0x3f800000, 0x3f800000, 0x3f800001, 0xbf800001, 0x00000001, 0x00000000, 0x00000000, 0x7f7fffff, 0x7f7fffff,
//        0x7f7fffff, 0x80400001, 0x00800000]
extern "C" __global__ void k(const double *a, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __double2float_rn(a[t]);
    rz[t] = __double2float_rz(a[t]);
    ru[t] = __double2float_ru(a[t]);
    rd[t] = __double2float_rd(a[t]);
}
