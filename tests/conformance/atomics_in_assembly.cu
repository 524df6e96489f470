// atom with acquire and release written out, and a load that acquires.
// launch: 1 x 32
// arg: a u32[3]
// arg: out u32[32]
// expect: a = [32, 32, 5]
// expect: sorted out = i
extern "C" __global__ void k(unsigned *a, unsigned *out) {
    unsigned r, s, v;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(r) : "l"(a) : "memory");
    asm volatile("atom.acquire.cta.add.u32 %0, [%1], 1;" : "=r"(s) : "l"(a + 1) : "memory");
    asm volatile("st.release.gpu.global.u32 [%0], 5;" ::"l"(a + 2) : "memory");
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(a + 2) : "memory");
    out[threadIdx.x] = v == 5 ? r : 0x80000000;
}
