// 24-bit products and sums of absolute differences.
// launch: 1 x 32
// arg: a s32[32] = i * 16777 - 270000
// arg: b s32[32] = 8000000 - i * 499999
// arg: m s32[32]
// arg: um u32[32]
// arg: s u32[32]
// arg: us u32[32]
// expect: m = ((a[i] << 104 >> 104) * (b[i] << 104 >> 104))
// expect: um = (a[i] & 0xffffff) * (b[i] & 0xffffff)
// expect: s = abs(a[i] - b[i]) + 5
// expect: us = abs(u32(a[i]) - u32(b[i])) + 9
extern "C" __global__ void k(const int *a, const int *b, int *m, unsigned *um, unsigned *s, unsigned *us) {
    int t = threadIdx.x;
    m[t] = __mul24(a[t], b[t]);
    um[t] = __umul24(a[t], b[t]);
    s[t] = __sad(a[t], b[t], 5u);
    us[t] = __usad((unsigned)a[t], (unsigned)b[t], 9u);
}
