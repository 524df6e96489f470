// 32-bit add, sub and mul.lo wrap.
// launch: 1 x 64
// arg: a u32[64] = i * 0x9e3779b9
// arg: b u32[64] = i * i * 0x85ebca6b + 7
// arg: out u32[192]
// expect: out = i < 64 ? a[i] + b[i] : i < 128 ? a[i - 64] - b[i - 64] : a[i - 128] * b[i - 128]
extern "C" __global__ void k(const unsigned *a, const unsigned *b, unsigned *out) {
    int t = threadIdx.x;
    out[t] = a[t] + b[t];
    out[64 + t] = a[t] - b[t];
    out[128 + t] = a[t] * b[t];
}
