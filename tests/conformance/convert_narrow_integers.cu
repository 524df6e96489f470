// cvt between integer widths: truncation, sign and zero extension.
// launch: 1 x 32
// arg: a u32[32] = i * 0x9e3779b9 + 0x7f80
// arg: s8o s32[32]
// arg: u8o u32[32]
// arg: s16o s64[32]
// arg: u16o u64[32]
// arg: wide s64[32]
// expect: s8o = s8(a[i])
// expect: u8o = u8(a[i])
// expect: s16o = s16(a[i])
// expect: u16o = u16(a[i])
// expect: wide = s32(a[i])
extern "C" __global__ void k(const unsigned *a, int *s8o, unsigned *u8o, long long *s16o, unsigned long long *u16o, long long *wide) {
    int t = threadIdx.x;
    s8o[t] = (signed char)a[t];
    u8o[t] = (unsigned char)a[t];
    s16o[t] = (short)a[t];
    u16o[t] = (unsigned short)a[t];
    wide[t] = (int)a[t];
}
