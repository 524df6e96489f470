// shfl by index, up, down and xor over a whole warp.
// launch: 1 x 64
// arg: a s32[64] = i * i - 7 * i
// arg: at s32[64]
// arg: up s32[64]
// arg: down s32[64]
// arg: x s32[64]
// expect: at = a[i / 32 * 32 + (i * 5 + 3) % 32]
// expect: up = i % 32 < 3 ? a[i] : a[i - 3]
// expect: down = i % 32 > 27 ? a[i] : a[i + 4]
// expect: x = a[i ^ 9]
extern "C" __global__ void k(const int *a, int *at, int *up, int *down, int *x) {
    int t = threadIdx.x, v = a[t];
    at[t] = __shfl_sync(0xffffffff, v, t * 5 + 3);
    up[t] = __shfl_up_sync(0xffffffff, v, 3);
    down[t] = __shfl_down_sync(0xffffffff, v, 4);
    x[t] = __shfl_xor_sync(0xffffffff, v, 9);
}
