// A butterfly sum: every lane has the total.
// launch: 1 x 96
// arg: a f32[96] = i * 0.5
// arg: out f32[96]
// expect: out = sum(j, 0, 32, (i / 32 * 32 + j) * 0.5)
extern "C" __global__ void k(const float *a, float *out) {
    float s = a[threadIdx.x];
    for (int d = 16; d; d >>= 1)
        s += __shfl_xor_sync(0xffffffff, s, d);
    out[threadIdx.x] = s;
}
