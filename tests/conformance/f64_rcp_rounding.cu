// rcp of double precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 10
// arg: a u64[10] = [0x3ff0000000000001, 0x3fefffffffffffff, 0xbff0000000000003, 0x0000000000000001, 0x000fffffffffffff,
//        0x7fefffffffffffff, 0x400921fb54442d18, 0xc05edd2f1a9fbe77, 0x8000000000000001, 0x3fd5555555555555]
// arg: rn u64[10]
// arg: rz u64[10]
// arg: ru u64[10]
// arg: rd u64[10]
// expect: rn = [0x3feffffffffffffe, 0x3ff0000000000001, 0xbfeffffffffffffa, 0x7ff0000000000000, 0x7fd0000000000001,
//        0x0004000000000000, 0x3fd45f306dc9c883, 0xbf8096c28e0043f3, 0xfff0000000000000, 0x4008000000000000]
// expect: rz = [0x3feffffffffffffe, 0x3ff0000000000000, 0xbfeffffffffffffa, 0x7fefffffffffffff, 0x7fd0000000000001,
//        0x0004000000000000, 0x3fd45f306dc9c882, 0xbf8096c28e0043f2, 0xffefffffffffffff, 0x4008000000000000]
// expect: ru = [0x3fefffffffffffff, 0x3ff0000000000001, 0xbfeffffffffffffa, 0x7ff0000000000000, 0x7fd0000000000002,
//        0x0004000000000001, 0x3fd45f306dc9c883, 0xbf8096c28e0043f2, 0xffefffffffffffff, 0x4008000000000001]
// expect: rd = [0x3feffffffffffffe, 0x3ff0000000000000, 0xbfeffffffffffffb, 0x7fefffffffffffff, 0x7fd0000000000001,
//        0x0004000000000000, 0x3fd45f306dc9c882, 0xbf8096c28e0043f3, 0xfff0000000000000, 0x4008000000000000]
extern "C" __global__ void k(const double *a, double *rn, double *rz, double *ru, double *rd) {
    int t = threadIdx.x;
    rn[t] = __drcp_rn(a[t]);
    rz[t] = __drcp_rz(a[t]);
    ru[t] = __drcp_ru(a[t]);
    rd[t] = __drcp_rd(a[t]);
}
