// 64-bit add, sub and mul.lo wrap.
// launch: 1 x 32
// arg: a u64[32] = i * 0x9e3779b97f4a7c15 + 3
// arg: b u64[32] = i * 0xc2b2ae3d27d4eb4f + 0x8000000000000000
// arg: out u64[96]
// expect: out = i < 32 ? a[i] + b[i] : i < 64 ? a[i - 32] - b[i - 32] : u64(a[i - 64] % 0x100000000 * b[i - 64]) + u64((a[i - 64] >> 32) * b[i - 64] % 0x100000000 << 32)
extern "C" __global__ void k(const unsigned long long *a, const unsigned long long *b, unsigned long long *out) {
    int t = threadIdx.x;
    out[t] = a[t] + b[t];
    out[32 + t] = a[t] - b[t];
    out[64 + t] = a[t] * b[t];
}
