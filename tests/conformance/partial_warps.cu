// A block whose last warp is not full; warps follow the linear thread number.
// launch: 1 x 7,7
// arg: out u32[49]
// expect: out = i % 32 + 100 * (i < 32 ? 32 : 17)
extern "C" __global__ void k(unsigned *out) {
    unsigned lane, t = threadIdx.x + 7 * threadIdx.y;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[t] = lane + 100 * __popc(__ballot_sync(t < 32 ? 0xffffffff : 0x1ffff, 1));
}
