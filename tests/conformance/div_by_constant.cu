// Division by constants, which NVRTC turns into multiplications.
// launch: 1 x 64
// arg: a s32[64] = i * 67108863 - 2147483648
// arg: o7 s32[64]
// arg: o10 u32[64]
// arg: m3 s32[64]
// arg: p8 s32[64]
// expect: o7 = a[i] / 7
// expect: o10 = u32(a[i]) / 10
// expect: m3 = a[i] % 3
// expect: p8 = a[i] / 8
extern "C" __global__ void k(const int *a, int *o7, unsigned *o10, int *m3, int *p8) {
    int t = threadIdx.x;
    o7[t] = a[t] / 7;
    o10[t] = (unsigned)a[t] / 10u;
    m3[t] = a[t] % 3;
    p8[t] = a[t] / 8;
}
