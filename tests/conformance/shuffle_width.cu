// Sub-warps of 8: each is a warp of its own.
// launch: 1 x 32
// arg: at u32[32]
// arg: up u32[32]
// arg: down u32[32]
// arg: x u32[32]
// expect: at = i / 8 * 8 + 5
// expect: up = i % 8 < 2 ? i : i - 2
// expect: down = i % 8 > 4 ? i : i + 3
// expect: x = i ^ 4
extern "C" __global__ void k(unsigned *at, unsigned *up, unsigned *down, unsigned *x) {
    unsigned t = threadIdx.x;
    at[t] = __shfl_sync(0xffffffff, t, 13, 8);
    up[t] = __shfl_up_sync(0xffffffff, t, 2, 8);
    down[t] = __shfl_down_sync(0xffffffff, t, 3, 8);
    x[t] = __shfl_xor_sync(0xffffffff, t, 4, 8);
}
