// sqrt of double precision in the four roundings: nearest even, to zero, up, down.
// launch: 1 x 10
// arg: a u64[10] = [0x3ff0000000000001, 0x3fefffffffffffff, 0xbff0000000000003, 0x0000000000000001, 0x000fffffffffffff,
//        0x7fefffffffffffff, 0x400921fb54442d18, 0xc05edd2f1a9fbe77, 0x8000000000000001, 0x3fd5555555555555]
// arg: rn u64[10]
// arg: rz u64[10]
// arg: ru u64[10]
// arg: rd u64[10]
// expect: rn = [0x3ff0000000000000, 0x3fefffffffffffff, 0x3ff0000000000001, 0x1e60000000000000, 0x1fffffffffffffff,
//        0x5fefffffffffffff, 0x3ffc5bf891b4ef6a, 0x402638dee52c80ed, 0x1e60000000000000, 0x3fe279a74590331c]
// expect: rz = [0x3ff0000000000000, 0x3fefffffffffffff, 0x3ff0000000000001, 0x1e60000000000000, 0x1ffffffffffffffe,
//        0x5fefffffffffffff, 0x3ffc5bf891b4ef6a, 0x402638dee52c80ec, 0x1e60000000000000, 0x3fe279a74590331c]
// expect: ru = [0x3ff0000000000001, 0x3ff0000000000000, 0x3ff0000000000002, 0x1e60000000000000, 0x1fffffffffffffff,
//        0x5ff0000000000000, 0x3ffc5bf891b4ef6b, 0x402638dee52c80ed, 0x1e60000000000000, 0x3fe279a74590331d]
// expect: rd = [0x3ff0000000000000, 0x3fefffffffffffff, 0x3ff0000000000001, 0x1e60000000000000, 0x1ffffffffffffffe,
//        0x5fefffffffffffff, 0x3ffc5bf891b4ef6a, 0x402638dee52c80ec, 0x1e60000000000000, 0x3fe279a74590331c]
extern "C" __global__ void k(const double *a, double *rn, double *rz, double *ru, double *rd) {
    int t = threadIdx.x;
    rn[t] = __dsqrt_rn(fabs(a[t]));
    rz[t] = __dsqrt_rz(fabs(a[t]));
    ru[t] = __dsqrt_ru(fabs(a[t]));
    rd[t] = __dsqrt_rd(fabs(a[t]));
}
