// ballot, any, all and uni.
// launch: 1 x 64
// arg: b u32[64]
// arg: c u32[64]
// expect: b = i < 32 ? 0x49249249 : 0x92492492
// expect: c = i < 32 ? 1 : 7
extern "C" __global__ void k(unsigned *b, unsigned *c) {
    unsigned t = threadIdx.x, u;
    b[t] = __ballot_sync(0xffffffff, t % 3 == 0);
    asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, 31; vote.sync.uni.pred q, p, -1; selp.u32 %0, 1, 0, q; }" : "=r"(u) : "r"(t));
    c[t] = u | (__any_sync(0xffffffff, t == 40) ? 2 : 0) | (__all_sync(0xffffffff, t > 31) ? 4 : 0);
}
