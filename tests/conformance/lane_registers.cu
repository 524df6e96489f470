// laneid and the lane masks.
// launch: 1 x 64
// arg: lane u32[64]
// arg: m u32[320]
// expect: lane = i % 32
// expect: m = i / 64 == 0 ? (1 << i % 32) : i / 64 == 1 ? (1 << i % 32) - 1 : i / 64 == 2 ? (2 << i % 32) - 1 : i / 64 == 3 ? 0xffffffff << i % 32 + 1 : 0xffffffff << i % 32
extern "C" __global__ void k(unsigned *lane, unsigned *m) {
    unsigned t = threadIdx.x, v;
    asm("mov.u32 %0, %%laneid;" : "=r"(v));
    lane[t] = v;
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(v));
    m[t] = v;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v));
    m[64 + t] = v;
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(v));
    m[128 + t] = v;
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(v));
    m[192 + t] = v;
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(v));
    m[256 + t] = v;
}
