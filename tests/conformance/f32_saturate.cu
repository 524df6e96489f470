// .sat clamps to 0 and 1; NaN gives 0.
// launch: 1 x 7
// arg: a f32[7] = [-1.5, -0.0, 0.25, 1.0, 7.0, inf, nan]
// arg: s f32[7]
// arg: m f32[7]
// expect: s as u32 = [0, 0, 0x3e800000, 0x3f800000, 0x3f800000, 0x3f800000, 0]
// expect: m as u32 = [0, 0, 0x3f000000, 0x3f800000, 0x3f800000, 0x3f800000, 0]
extern "C" __global__ void k(const float *a, float *s, float *m) {
    int t = threadIdx.x;
    s[t] = __saturatef(a[t]);
    float r;
    asm("mul.sat.f32 %0, %1, 0f40000000;" : "=f"(r) : "f"(a[t]));
    m[t] = r;
}
