// div of double precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 10
// arg: a u64[10] = [0x3ff0000000000001, 0x3fefffffffffffff, 0xbff0000000000003, 0x0000000000000001, 0x000fffffffffffff,
//        0x7fefffffffffffff, 0x400921fb54442d18, 0xc05edd2f1a9fbe77, 0x8000000000000001, 0x3fd5555555555555]
// arg: b u64[10] = [0x3ca0000000000000, 0x3ff0000000000001, 0x3fe0000000000001, 0x3fe0000000000000, 0x0010000000000003,
//        0x7fefffffffffffff, 0xbe7ad7f29abcaf48, 0x4045000000000001, 0x3fe8000000000000, 0xbfd5555555555554]
// arg: rn u64[10]
// arg: rz u64[10]
// arg: ru u64[10]
// arg: rd u64[10]
// expect: rn = [0x4340000000000001, 0x3feffffffffffffd, 0xc000000000000002, 0x0000000000000002, 0x3feffffffffffff8,
//        0x3ff0000000000000, 0xc17df5e7689309b6, 0xc00783f32079b5af, 0x8000000000000001, 0xbff0000000000001]
// expect: rz = [0x4340000000000001, 0x3feffffffffffffd, 0xc000000000000001, 0x0000000000000002, 0x3feffffffffffff8,
//        0x3ff0000000000000, 0xc17df5e7689309b5, 0xc00783f32079b5ae, 0x8000000000000001, 0xbff0000000000000]
// expect: ru = [0x4340000000000001, 0x3feffffffffffffe, 0xc000000000000001, 0x0000000000000002, 0x3feffffffffffff9,
//        0x3ff0000000000000, 0xc17df5e7689309b5, 0xc00783f32079b5ae, 0x8000000000000001, 0xbff0000000000000]
// expect: rd = [0x4340000000000001, 0x3feffffffffffffd, 0xc000000000000002, 0x0000000000000002, 0x3feffffffffffff8,
//        0x3ff0000000000000, 0xc17df5e7689309b6, 0xc00783f32079b5af, 0x8000000000000002, 0xbff0000000000001]
extern "C" __global__ void k(const double *a, const double *b, double *rn, double *rz, double *ru, double *rd) {
    int t = threadIdx.x;
    rn[t] = __ddiv_rn(a[t], b[t]);
    rz[t] = __ddiv_rz(a[t], b[t]);
    ru[t] = __ddiv_ru(a[t], b[t]);
    rd[t] = __ddiv_rd(a[t], b[t]);
}
