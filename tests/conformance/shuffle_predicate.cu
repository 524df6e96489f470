// The predicate that shfl sets: whether the source lane was in range.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = (i > 27 ? i : i + 4) | (i > 27 ? 0 : 0x100) | (i < 7 ? 0 : 0x200)
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x, v, p, q;
    asm volatile("{ .reg .pred in; shfl.sync.down.b32 %0|in, %2, 4, 31, -1; selp.u32 %1, 0x100, 0, in; }" : "=r"(v), "=r"(p) : "r"(t));
    asm volatile("{ .reg .pred in; .reg .b32 d; shfl.sync.up.b32 d|in, %1, 7, 0, -1; selp.u32 %0, 0x200, 0, in; }" : "=r"(q) : "r"(t));
    out[t] = v | p | q;
}
