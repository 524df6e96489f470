// setp with a second predicate and .and/.or/.xor, set, selp, slct.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = (i < 16 && i % 2 == 1 ? 1 : 0) | (i >= 16 && i % 2 == 1 ? 2 : 0) | ((i < 8) ^ (i % 3 == 0) ? 4 : 0) | (i > 20 || i == 2 ? 8 : 0) | (i <= 10 ? 0x10 : 0)
//         | (i - 12 >= 0 ? 0x20 : 0x40)
extern "C" __global__ void k(unsigned *out) {
    int t = threadIdx.x, r;
    asm("{\n\t"
        ".reg .pred odd, third, p, q, x, y; .reg .u32 bit; .reg .s32 s;\n\t"
        "and.b32 bit, %1, 1; setp.ne.u32 odd, bit, 0;\n\t"
        "rem.u32 bit, %1, 3; setp.eq.u32 third, bit, 0;\n\t"
        "setp.lt.and.s32 p|q, %1, 16, odd;\n\t"
        "setp.lt.xor.s32 x, %1, 8, third;\n\t"
        "setp.eq.s32 y, %1, 2; setp.gt.or.s32 y, %1, 20, y;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t"
        "selp.u32 bit, 2, 0, q; or.b32 %0, %0, bit;\n\t"
        "selp.u32 bit, 4, 0, x; or.b32 %0, %0, bit;\n\t"
        "selp.u32 bit, 8, 0, y; or.b32 %0, %0, bit;\n\t"
        "set.le.u32.u32 bit, %1, 10; and.b32 bit, bit, 0x10; or.b32 %0, %0, bit;\n\t"
        "sub.s32 s, %1, 12; slct.u32.s32 bit, 0x20, 0x40, s; or.b32 %0, %0, bit;\n\t"
        "}"
        : "=&r"(r) : "r"(t));
    out[t] = r;
}
