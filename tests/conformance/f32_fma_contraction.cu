// a * b + c is one fma unless the intrinsics forbid it.
// launch: 1 x 16
// arg: a f32[16] = 1.0 + i * 1.1920929e-7
// arg: b f32[16] = 1.0 - i * 5.9604645e-8
// arg: one f32[16]
// arg: two f32[16]
// expect: one = fmaf(a[i], b[i], -1.0)
// expect: two = f32(f32(a[i] * b[i]) - 1.0)
extern "C" __global__ void k(const float *a, const float *b, float *one, float *two) {
    int t = threadIdx.x;
    one[t] = a[t] * b[t] - 1.0f;
    two[t] = __fadd_rn(__fmul_rn(a[t], b[t]), -1.0f);
}
