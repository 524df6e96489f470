// clock, clock64 and globaltimer never run backwards.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = 7
extern "C" __global__ void k(unsigned *out) {
    long long c = clock64();
    unsigned long long g, h;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g));
    int s = 0;
    for (int j = 0; j < 50; ++j)
        asm volatile("add.s32 %0, %0, 1;" : "+r"(s));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(h));
    unsigned a = clock(), b = clock();
    out[threadIdx.x] = (clock64() > c) | (h >= g) << 1 | ((int)(b - a) >= 0) << 2;
}
