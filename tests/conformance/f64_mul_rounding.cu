// mul of double precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 10
// arg: a u64[10] = [0x3ff0000000000001, 0x3fefffffffffffff, 0xbff0000000000003, 0x0000000000000001, 0x000fffffffffffff,
//        0x7fefffffffffffff, 0x400921fb54442d18, 0xc05edd2f1a9fbe77, 0x8000000000000001, 0x3fd5555555555555]
// arg: b u64[10] = [0x3ca0000000000000, 0x3ff0000000000001, 0x3fe0000000000001, 0x3fe0000000000000, 0x0010000000000003,
//        0x7fefffffffffffff, 0xbe7ad7f29abcaf48, 0x4045000000000001, 0x3fe8000000000000, 0xbfd5555555555554]
// arg: rn u64[10]
// arg: rz u64[10]
// arg: ru u64[10]
// arg: rd u64[10]
// expect: rn = [0x3ca0000000000001, 0x3ff0000000000000, 0xbfe0000000000004, 0x0000000000000000, 0x0000000000000000,
//        0x7ff0000000000000, 0xbe9515370f99f6cb, 0xc0b44126e978d4ff, 0x8000000000000001, 0xbfbc71c71c71c71a]
// expect: rz = [0x3ca0000000000001, 0x3ff0000000000000, 0xbfe0000000000004, 0x0000000000000000, 0x0000000000000000,
//        0x7fefffffffffffff, 0xbe9515370f99f6ca, 0xc0b44126e978d4ff, 0x8000000000000000, 0xbfbc71c71c71c71a]
// expect: ru = [0x3ca0000000000001, 0x3ff0000000000001, 0xbfe0000000000004, 0x0000000000000001, 0x0000000000000001,
//        0x7ff0000000000000, 0xbe9515370f99f6ca, 0xc0b44126e978d4ff, 0x8000000000000000, 0xbfbc71c71c71c71a]
// expect: rd = [0x3ca0000000000001, 0x3ff0000000000000, 0xbfe0000000000005, 0x0000000000000000, 0x0000000000000000,
//        0x7fefffffffffffff, 0xbe9515370f99f6cb, 0xc0b44126e978d500, 0x8000000000000001, 0xbfbc71c71c71c71b]
extern "C" __global__ void k(const double *a, const double *b, double *rn, double *rz, double *ru, double *rd) {
    int t = threadIdx.x;
    rn[t] = __dmul_rn(a[t], b[t]);
    rz[t] = __dmul_rz(a[t], b[t]);
    ru[t] = __dmul_ru(a[t], b[t]);
    rd[t] = __dmul_rd(a[t], b[t]);
}
