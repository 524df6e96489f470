// Loads and stores with cache operators: .ca .cg .cs .cv .wb .wt, and the read-only path.
// launch: 1 x 32
// arg: a u32[32] = i * i + 1
// arg: out u32[128]
// expect: out = a[i % 32] + i / 32
extern "C" __global__ void k(const unsigned *__restrict__ a, unsigned *out) {
    int t = threadIdx.x;
    __stcg(out + t, __ldg(a + t));
    __stcs(out + 32 + t, __ldcg(a + t) + 1);
    __stwt(out + 64 + t, __ldcs(a + t) + 2);
    __stwb(out + 96 + t, __ldca(a + t) + 3);
}
