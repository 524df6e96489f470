// Signed and unsigned comparisons of the same bits.
// launch: 1 x 4
// arg: a u32[4] = [0, 0x7fffffff, 0x80000000, 0xffffffff]
// arg: s u32[4]
// arg: u u32[4]
// expect: s = sum(j, 0, 4, (s32(a[i]) < s32(a[j])) << j)
// expect: u = sum(j, 0, 4, (a[i] < a[j]) << j)
extern "C" __global__ void k(const unsigned *a, unsigned *s, unsigned *u) {
    int t = threadIdx.x;
    unsigned x = 0, y = 0;
    for (int j = 0; j < 4; ++j) {
        x |= ((int)a[t] < (int)a[j]) << j;
        y |= (a[t] < a[j]) << j;
    }
    s[t] = x;
    u[t] = y;
}
