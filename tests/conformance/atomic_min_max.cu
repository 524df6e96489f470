// atomicMin and atomicMax: signed and unsigned, 32 and 64 bits.
// launch: 2 x 64
// arg: a s32[128] = i * 0x3779b9 % 1000003 - 400000
// arg: smin s32[1] = 2147483647
// arg: smax s32[1] = -2147483648
// arg: umin u32[1] = 0xffffffff
// arg: umax u32[1] = 0
// arg: lmin s64[1] = 9223372036854775807
// arg: lmax u64[1]
// expect: smin = least(j, 0, 128, a[j])
// expect: smax = greatest(j, 0, 128, a[j])
// expect: umin = least(j, 0, 128, u32(a[j]))
// expect: umax = greatest(j, 0, 128, u32(a[j]))
// expect: lmin = least(j, 0, 128, a[j]) * 4294967296
// expect: lmax = greatest(j, 0, 128, u64(a[j] * 4294967296))
extern "C" __global__ void k(const int *a, int *smin, int *smax, unsigned *umin, unsigned *umax, long long *lmin, unsigned long long *lmax) {
    int x = a[blockIdx.x * 64 + threadIdx.x];
    atomicMin(smin, x);
    atomicMax(smax, x);
    atomicMin(umin, (unsigned)x);
    atomicMax(umax, (unsigned)x);
    atomicMin(lmin, (long long)x * 4294967296ll);
    atomicMax(lmax, (unsigned long long)((long long)x * 4294967296ll));
}
