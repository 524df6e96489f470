// PTX leaves quotient and remainder by zero open; NVIDIA's GPUs give all ones. (For the 64-bit remainder it depends on the compiler.)
// launch: 1 x 4
// bits: differ
// arg: a s64[4] = [0, 1, -77, 0x7fffffffffffffff]
// arg: z s64[4] = 0
// arg: u u32[8]
// arg: s s32[8]
// arg: ul u64[4]
// arg: sl s64[4]
// expect: u = 0xffffffff
// expect: s = -1
// expect: ul = 0xffffffffffffffff
// expect: sl = -1
// In assembly, because NVRTC puts a test for small numbers around a 64-bit division.
#define DIVIDE(to, op, reg, x, y) asm volatile(op " %0, %1, %2;" : "=" reg(to) : reg(x), reg(y))
extern "C" __global__ void k(const long long *a, const long long *z, unsigned *u, int *s, unsigned long long *ul, long long *sl) {
    int t = threadIdx.x, x = (int)a[t], y = (int)z[t];
    DIVIDE(u[t], "div.u32", "r", x, y);
    DIVIDE(u[4 + t], "rem.u32", "r", x, y);
    DIVIDE(s[t], "div.s32", "r", x, y);
    DIVIDE(s[4 + t], "rem.s32", "r", x, y);
    long long v = a[t], w = z[t];
    DIVIDE(ul[t], "div.u64", "l", v, w);
    DIVIDE(sl[t], "div.s64", "l", v, w);
}
