// Any function of three bits, by its table.
// launch: 1 x 32
// arg: a u32[32] = i * 0x9e3779b9
// arg: b u32[32] = i * 0x85ebca6b + 5
// arg: c u32[32] = i * 0xc2b2ae35 + 9
// arg: major u32[32]
// arg: parity u32[32]
// arg: pick u32[32]
// arg: odd u32[32]
// expect: major = (a[i] & b[i]) | (b[i] & c[i]) | (a[i] & c[i])
// expect: parity = a[i] ^ b[i] ^ c[i]
// expect: pick = (a[i] & b[i]) | (~a[i] & c[i])
// expect: odd = ~a[i] & b[i] & ~c[i]
extern "C" __global__ void k(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *major, unsigned *parity, unsigned *pick,
                             unsigned *odd) {
    int t = threadIdx.x;
    unsigned r;
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a[t]), "r"(b[t]), "r"(c[t]));
    major[t] = r;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a[t]), "r"(b[t]), "r"(c[t]));
    parity[t] = r;
    asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"(a[t]), "r"(b[t]), "r"(c[t]));
    pick[t] = r;
    asm("lop3.b32 %0, %1, %2, %3, 0x04;" : "=r"(r) : "r"(a[t]), "r"(b[t]), "r"(c[t]));
    odd[t] = r;
}
