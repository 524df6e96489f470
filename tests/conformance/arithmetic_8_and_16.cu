// Narrow types: computed wide, stored narrow.
// launch: 1 x 32
// arg: a s8[32] = i * 37 - 100
// arg: b s16[32] = i * 4001 - 30000
// arg: o8 s8[32]
// arg: o16 s16[32]
// arg: ou8 u8[32]
// arg: ou16 u16[32]
// expect: o8 = s8(a[i]) * 3 + 1
// expect: o16 = b[i] * 5 - a[i]
// expect: ou8 = u8(u8(a[i]) + 200) >> 1
// expect: ou16 = u16(u16(b[i]) * 3) / 7
extern "C" __global__ void k(const signed char *a, const short *b, signed char *o8, short *o16, unsigned char *ou8,
                             unsigned short *ou16) {
    int t = threadIdx.x;
    o8[t] = a[t] * 3 + 1;
    o16[t] = b[t] * 5 - a[t];
    ou8[t] = (unsigned char)((unsigned char)a[t] + 200) >> 1;
    ou16[t] = (unsigned short)((unsigned short)b[t] * 3) / 7;
}
