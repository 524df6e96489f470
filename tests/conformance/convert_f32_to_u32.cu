// Singles to unsigned integers: four roundings; negative numbers saturate to 0, NaN is 0.
// launch: 1 x 19
// arg: a u32[19] = [0x3f000000, 0x3fc00000, 0x40200000, 0xbf000000, 0xbfc00000, 0xc0200000, 0x3effffff, 0xc0e80000, 0x4f000000,
//        0xcf000000, 0x4f32d05e, 0xcf32d05e, 0x60ad78ec, 0x7f800000, 0xff800000, 0x7fc00000, 0x80000000, 0x00000001, 0x4effffff]
// arg: rn u32[19]
// arg: rz u32[19]
// arg: ru u32[19]
// arg: rd u32[19]
// expect: rn = [0, 2, 2, 0, 0, 0, 0, 0, 2147483648, 0, 3000000000, 0, 4294967295, 4294967295, 0, 0, 0, 0, 2147483520]
// expect: rz = [0, 1, 2, 0, 0, 0, 0, 0, 2147483648, 0, 3000000000, 0, 4294967295, 4294967295, 0, 0, 0, 0, 2147483520]
// expect: ru = [1, 2, 3, 0, 0, 0, 1, 0, 2147483648, 0, 3000000000, 0, 4294967295, 4294967295, 0, 0, 0, 1, 2147483520]
// expect: rd = [0, 1, 2, 0, 0, 0, 0, 0, 2147483648, 0, 3000000000, 0, 4294967295, 4294967295, 0, 0, 0, 0, 2147483520]
extern "C" __global__ void k(const float *a, unsigned *rn, unsigned *rz, unsigned *ru, unsigned *rd) {
    int t = threadIdx.x;
    rn[t] = __float2uint_rn(a[t]);
    rz[t] = __float2uint_rz(a[t]);
    ru[t] = __float2uint_ru(a[t]);
    rd[t] = __float2uint_rd(a[t]);
}
