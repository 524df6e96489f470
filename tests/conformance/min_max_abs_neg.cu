// min, max, abs and neg of every integer width; abs and neg of the least number wrap.
// launch: 1 x 32
// arg: a s32[32] = i == 0 ? -2147483648 : i * 134217728 - 2000000000
// arg: b s64[32] = i == 0 ? -9223372036854775808 : i * 576460752303423487 - 9000000000000000000
// arg: o32 s32[32]
// arg: u32o u32[32]
// arg: o64 s64[32]
// arg: u64o u64[32]
// expect: o32 = min(abs(a[i]), 2147483648) - max(a[i], 5)
// expect: u32o = max(min(u32(a[i]), 3000000000), 77)
// expect: o64 = min(b[i], 12345) - b[i]
// expect: u64o = max(u64(b[i]), 0x7fffffffffffffff) + abs(b[i])
extern "C" __global__ void k(const int *a, const long long *b, int *o32, unsigned *u32o, long long *o64, unsigned long long *u64o) {
    int t = threadIdx.x;
    o32[t] = (int)((unsigned)abs(a[t]) - (unsigned)max(a[t], 5));
    u32o[t] = max(min((unsigned)a[t], 3000000000u), 77u);
    o64[t] = (long long)((unsigned long long)min(b[t], 12345ll) - (unsigned long long)b[t]);
    u64o[t] = max((unsigned long long)b[t], 0x7fffffffffffffffull) + (unsigned long long)llabs(b[t]);
}
