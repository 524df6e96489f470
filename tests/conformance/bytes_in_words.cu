// SIMD within a word: __vadd4, __vsubus4, __vabsdiffu4, __vmaxs2, __vcmpgts4.
// launch: 1 x 32
// arg: a u32[32] = i * 0x9e3779b9
// arg: b u32[32] = i * 0x85ebca6b + 0x80ff7f01
// arg: add u32[32]
// arg: subs u32[32]
// arg: diff u32[32]
// arg: big u32[32]
// arg: gt u32[32]
// expect: add = sum(j, 0, 4, u8((a[i] >> 8 * j) + (b[i] >> 8 * j)) << 8 * j)
// expect: subs = sum(j, 0, 4, max(0, u8(a[i] >> 8 * j) - u8(b[i] >> 8 * j)) << 8 * j)
// expect: diff = sum(j, 0, 4, abs(u8(a[i] >> 8 * j) - u8(b[i] >> 8 * j)) << 8 * j)
// expect: big = sum(j, 0, 2, u16(max(s16(a[i] >> 16 * j), s16(b[i] >> 16 * j))) << 16 * j)
// expect: gt = sum(j, 0, 4, (s8(a[i] >> 8 * j) > s8(b[i] >> 8 * j) ? 255 : 0) << 8 * j)
extern "C" __global__ void k(const unsigned *a, const unsigned *b, unsigned *add, unsigned *subs, unsigned *diff, unsigned *big, unsigned *gt) {
    int t = threadIdx.x;
    add[t] = __vadd4(a[t], b[t]);
    subs[t] = __vsubus4(a[t], b[t]);
    diff[t] = __vabsdiffu4(a[t], b[t]);
    big[t] = __vmaxs2(a[t], b[t]);
    gt[t] = __vcmpgts4(a[t], b[t]);
}
