// atomicCAS of 16, 32 and 64 bits: swaps only where it finds what it looks for.
// launch: 1 x 32
// arg: a u16[32] = i % 2
// arg: b u32[32] = i % 3
// arg: c u64[32] = i % 4 + 0x500000000
// arg: old u64[32]
// expect: a = i % 2 == 0 ? 900 : 1
// expect: b = i % 3 == 1 ? 901 : i % 3
// expect: c = i % 4 == 2 ? 902 : i % 4 + 0x500000000
// expect: old = i % 2 + i % 3 + i % 4 + 0x500000000
extern "C" __global__ void k(unsigned short *a, unsigned *b, unsigned long long *c, unsigned long long *old) {
    unsigned t = threadIdx.x;
    unsigned short zero = 0, put = 900;
    old[t] = atomicCAS(a + t, zero, put) + atomicCAS(b + t, 1u, 901u) + atomicCAS(c + t, 0x500000002ull, 902ull);
}
