// Unsigned 64-bit integers to doubles in the four roundings.
// launch: 1 x 7
// arg: a u64[7] = [0, 1, 9007199254740993, 18446744073709551615, 18446744073709549568, 9223372036854775809, 1234567890123456789]
// arg: rn u64[7]
// arg: rz u64[7]
// arg: ru u64[7]
// arg: rd u64[7]
// expect: rn = [0x0000000000000000, 0x3ff0000000000000, 0x4340000000000000, 0x43f0000000000000, 0x43efffffffffffff,
//        0x43e0000000000000, 0x43b12210f47de981]
// expect: rz = [0x0000000000000000, 0x3ff0000000000000, 0x4340000000000000, 0x43efffffffffffff, 0x43efffffffffffff,
//        0x43e0000000000000, 0x43b12210f47de981]
// expect: ru = [0x0000000000000000, 0x3ff0000000000000, 0x4340000000000001, 0x43f0000000000000, 0x43efffffffffffff,
//        0x43e0000000000001, 0x43b12210f47de982]
// expect: rd = [0x0000000000000000, 0x3ff0000000000000, 0x4340000000000000, 0x43efffffffffffff, 0x43efffffffffffff,
//        0x43e0000000000000, 0x43b12210f47de981]
extern "C" __global__ void k(const unsigned long long *a, double *rn, double *rz, double *ru, double *rd) {
    int t = threadIdx.x;
    rn[t] = __ull2double_rn(a[t]);
    rz[t] = __ull2double_rz(a[t]);
    ru[t] = __ull2double_ru(a[t]);
    rd[t] = __ull2double_rd(a[t]);
}
