// atomicAnd, atomicOr and atomicXor of 32 and 64 bits.
// launch: 1 x 64
// arg: a u32[1] = 0xffffffff
// arg: o u32[1]
// arg: x u32[1] = 0x12345678
// arg: a64 u64[1] = 0xffffffffffffffff
// arg: o64 u64[1]
// arg: x64 u64[1]
// expect: a = 0x55555555
// expect: o = 0x11111111
// expect: x = xor(j, 0, 64, j * 0x01010101) ^ 0x12345678
// expect: a64 = 0xfffffffffffffffe
// expect: o64 = 0xffffffffffffffff
// expect: x64 = 0xffffffffffffffff
extern "C" __global__ void k(unsigned *a, unsigned *o, unsigned *x, unsigned long long *a64, unsigned long long *o64, unsigned long long *x64) {
    unsigned t = threadIdx.x;
    atomicAnd(a, ~(2u << (t % 32 & 30)));
    atomicOr(o, 1u << (t % 32 & 28));
    atomicXor(x, t * 0x01010101u);
    atomicAnd(a64, ~(t % 2 ? 1ull : 0ull));
    atomicOr(o64, 1ull << t);
    atomicXor(x64, 1ull << t);
}
