// .ftz takes and gives signed zeros for denormals; without it they stay.
// launch: 1 x 6
// arg: a u32[6] = [0x00000001, 0x807fffff, 0x00800000, 0x80800000, 0x00400000, 0x3f800000]
// arg: keep u32[6]
// arg: add u32[6]
// arg: mul u32[6]
// arg: fma u32[6]
// expect: keep = [0x00000002, 0x80fffffe, 0x01000000, 0x81000000, 0x00800000, 0x40000000]
// expect: add = [0, 0x80000000, 0x01000000, 0x81000000, 0, 0x40000000]
// expect: mul = [0, 0x80000000, 0, 0x80000000, 0, 0x3f000000]
// expect: fma = [0, 0, 0x00800000, 0x80800000, 0, 0x3f800000]
extern "C" __global__ void k(const float *a, float *keep, float *add, float *mul, float *fma) {
    int t = threadIdx.x;
    float x = a[t], r;
    keep[t] = x + x;
    asm("add.ftz.f32 %0, %1, %1;" : "=f"(r) : "f"(x));
    add[t] = r;
    asm("mul.ftz.f32 %0, %1, 0f3F000000;" : "=f"(r) : "f"(x));
    mul[t] = r;
    asm("fma.rn.ftz.f32 %0, %1, 0f3F800000, 0f00000000;" : "=f"(r) : "f"(x));
    fma[t] = r;
}
