// Doubles to unsigned 32-bit integers: four roundings, saturating.
// launch: 1 x 13
// arg: a u64[13] = [0x3fe0000000000000, 0x3ff8000000000000, 0xc004000000000000, 0xbfe8000000000000, 0x4340000000000000,
//        0x43e02207973f6440, 0xc3e02207973f6440, 0x7e37e43c8800759c, 0x423cbe991a148000, 0xc1f0000000080000, 0x7ff0000000000000,
//        0xfff0000000000000, 0x8000000000000000]
// arg: rn u32[13]
// arg: rz u32[13]
// arg: ru u32[13]
// arg: rd u32[13]
// expect: rn = [0, 2, 0, 0, 4294967295, 4294967295, 0, 4294967295, 4294967295, 0, 4294967295, 0, 0]
// expect: rz = [0, 1, 0, 0, 4294967295, 4294967295, 0, 4294967295, 4294967295, 0, 4294967295, 0, 0]
// expect: ru = [1, 2, 0, 0, 4294967295, 4294967295, 0, 4294967295, 4294967295, 0, 4294967295, 0, 0]
// expect: rd = [0, 1, 0, 0, 4294967295, 4294967295, 0, 4294967295, 4294967295, 0, 4294967295, 0, 0]
extern "C" __global__ void k(const double *a, unsigned *rn, unsigned *rz, unsigned *ru, unsigned *rd) {
    int t = threadIdx.x;
    rn[t] = __double2uint_rn(a[t]);
    rz[t] = __double2uint_rz(a[t]);
    ru[t] = __double2uint_ru(a[t]);
    rd[t] = __double2uint_rd(a[t]);
}
