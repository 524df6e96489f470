// fma of double precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 10
// arg: a u64[10] = [0x3ff0000000000001, 0x3fefffffffffffff, 0xbff0000000000003, 0x0000000000000001, 0x000fffffffffffff,
//        0x7fefffffffffffff, 0x400921fb54442d18, 0xc05edd2f1a9fbe77, 0x8000000000000001, 0x3fd5555555555555]
// arg: b u64[10] = [0x3ca0000000000000, 0x3ff0000000000001, 0x3fe0000000000001, 0x3fe0000000000000, 0x0010000000000003,
//        0x7fefffffffffffff, 0xbe7ad7f29abcaf48, 0x4045000000000001, 0x3fe8000000000000, 0xbfd5555555555554]
// arg: c u64[10] = [0x3bf0000000000001, 0xbca0000000000000, 0x3cafffffffffffff, 0x0000000000000003, 0x8000000000000005,
//        0xffefffffffffffff, 0x3e7ad7f29abcaf48, 0x3fefffffffffffff, 0x0000000000000001, 0x3fbc71c71c71c71c]
// arg: rn u64[10]
// arg: rz u64[10]
// arg: ru u64[10]
// arg: rd u64[10]
// expect: rn = [0x3ca0020000000001, 0x3ff0000000000000, 0xbfe0000000000002, 0x0000000000000004, 0x8000000000000005,
//        0x7ff0000000000000, 0xbe8cbe74d1d595f1, 0xc0b44026e978d4ff, 0x0000000000000000, 0x3c7c71c71c71c71c]
// expect: rz = [0x3ca0020000000001, 0x3fefffffffffffff, 0xbfe0000000000002, 0x0000000000000003, 0x8000000000000004,
//        0x7fefffffffffffff, 0xbe8cbe74d1d595f1, 0xc0b44026e978d4ff, 0x0000000000000000, 0x3c7c71c71c71c71c]
// expect: ru = [0x3ca0020000000002, 0x3ff0000000000000, 0xbfe0000000000002, 0x0000000000000004, 0x8000000000000004,
//        0x7ff0000000000000, 0xbe8cbe74d1d595f1, 0xc0b44026e978d4ff, 0x0000000000000001, 0x3c7c71c71c71c71c]
// expect: rd = [0x3ca0020000000001, 0x3fefffffffffffff, 0xbfe0000000000003, 0x0000000000000003, 0x8000000000000005,
//        0x7fefffffffffffff, 0xbe8cbe74d1d595f2, 0xc0b44026e978d500, 0x0000000000000000, 0x3c7c71c71c71c71c]
extern "C" __global__ void k(const double *a, const double *b, const double *c, double *rn, double *rz, double *ru, double *rd) {
    int t = threadIdx.x;
    rn[t] = __fma_rn(a[t], b[t], c[t]);
    rz[t] = __fma_rz(a[t], b[t], c[t]);
    ru[t] = __fma_ru(a[t], b[t], c[t]);
    rd[t] = __fma_rd(a[t], b[t], c[t]);
}
