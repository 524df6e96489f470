// dp4a and dp2a, signed and unsigned.
// launch: 1 x 32
// arch: compute_75
// arg: a u32[32] = i * 0x9e3779b9
// arg: b u32[32] = i * 0x85ebca6b + 0x80ff7f01
// arg: s s32[32]
// arg: u u32[32]
// arg: lo s32[32]
// arg: hi u32[32]
// expect: s = sum(j, 0, 4, s8(a[i] >> 8 * j) * s8(b[i] >> 8 * j)) - 100
// expect: u = sum(j, 0, 4, u8(a[i] >> 8 * j) * u8(b[i] >> 8 * j)) + 100
// expect: lo = sum(j, 0, 2, s16(a[i] >> 16 * j) * s8(b[i] >> 8 * j)) + 7
// expect: hi = sum(j, 0, 2, u16(a[i] >> 16 * j) * u8(b[i] >> 16 + 8 * j)) + 7
extern "C" __global__ void k(const unsigned *a, const unsigned *b, int *s, unsigned *u, int *lo, unsigned *hi) {
    int t = threadIdx.x;
    s[t] = __dp4a((int)a[t], (int)b[t], -100);
    u[t] = __dp4a(a[t], b[t], 100u);
    lo[t] = __dp2a_lo((int)a[t], (int)b[t], 7);
    hi[t] = __dp2a_hi(a[t], b[t], 7u);
}
