// and, or, xor, not and cnot in 16, 32 and 64 bits.
// launch: 1 x 32
// arg: a u64[32] = i * 0x9e3779b97f4a7c15
// arg: b u64[32] = i % 3 == 0 ? 0 : i * 0xc2b2ae3d27d4eb4f
// arg: o64 u64[32]
// arg: o32 u32[32]
// arg: o16 u16[32]
// arg: c u32[32]
// expect: o64 = (a[i] & b[i]) ^ (a[i] | ~b[i])
// expect: o32 = ~(a[i] ^ b[i])
// expect: o16 = (a[i] & 0xff0f) | ~b[i]
// expect: c = b[i] % 4294967296 == 0
extern "C" __global__ void k(const unsigned long long *a, const unsigned long long *b, unsigned long long *o64, unsigned *o32,
                             unsigned short *o16, unsigned *c) {
    int t = threadIdx.x;
    o64[t] = (a[t] & b[t]) ^ (a[t] | ~b[t]);
    o32[t] = ~((unsigned)a[t] ^ (unsigned)b[t]);
    unsigned short x, y = (unsigned short)a[t], z = (unsigned short)b[t];
    asm("{ .reg .b16 m, n; and.b16 m, %1, 0xff0f; not.b16 n, %2; or.b16 %0, m, n; }" : "=h"(x) : "h"(y), "h"(z));
    o16[t] = x;
    unsigned w;
    asm("cnot.b32 %0, %1;" : "=r"(w) : "r"((unsigned)b[t]));
    c[t] = w;
}
