// Unsigned 32-bit integers to singles in the four roundings.
// launch: 1 x 9
// arg: a u32[9] = [0, 1, 16777217, 16777219, 4294967295, 4294967040, 4294967168, 2147483649, 3000000001]
// arg: rn u32[9]
// arg: rz u32[9]
// arg: ru u32[9]
// arg: rd u32[9]
// expect: rn = [0x00000000, 0x3f800000, 0x4b800000, 0x4b800002, 0x4f800000, 0x4f7fffff, 0x4f800000, 0x4f000000, 0x4f32d05e]
// expect: rz = [0x00000000, 0x3f800000, 0x4b800000, 0x4b800001, 0x4f7fffff, 0x4f7fffff, 0x4f7fffff, 0x4f000000, 0x4f32d05e]
// expect: ru = [0x00000000, 0x3f800000, 0x4b800001, 0x4b800002, 0x4f800000, 0x4f7fffff, 0x4f800000, 0x4f000001, 0x4f32d05f]
// expect: rd = [0x00000000, 0x3f800000, 0x4b800000, 0x4b800001, 0x4f7fffff, 0x4f7fffff, 0x4f7fffff, 0x4f000000, 0x4f32d05e]
extern "C" __global__ void k(const unsigned *a, float *rn, float *rz, float *ru, float *rd) {
    int t = threadIdx.x;
    rn[t] = __uint2float_rn(a[t]);
    rz[t] = __uint2float_rz(a[t]);
    ru[t] = __uint2float_ru(a[t]);
    rd[t] = __uint2float_rd(a[t]);
}
