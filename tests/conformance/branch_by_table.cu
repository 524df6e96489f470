// brx.idx in assembly: each lane jumps to its own label.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = i % 4 == 0 ? 11 : i % 4 == 1 ? 22 : i % 4 == 2 ? 33 : 44
extern "C" __global__ void k(unsigned *out) {
    unsigned r, t = threadIdx.x;
    asm volatile("{\n\t"
                 ".reg .u32 index; and.b32 index, %1, 3;\n\t"
                 "table: .branchtargets L0, L1, L2, L3;\n\t"
                 "brx.idx index, table;\n\t"
                 "L0: mov.u32 %0, 11; bra END;\n\t"
                 "L1: mov.u32 %0, 22; bra END;\n\t"
                 "L2: mov.u32 %0, 33; bra END;\n\t"
                 "L3: mov.u32 %0, 44;\n\t"
                 "END:\n\t"
                 "}"
                 : "=r"(r) : "r"(t));
    out[t] = r;
}
