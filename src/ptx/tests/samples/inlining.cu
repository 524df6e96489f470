// Compiled by NVRTC 12.9.86 into inlining.ptx: compute_75, --generate-line-info.
__device__ __forceinline__ int triple(int x, int *p) { int y = p[x] * 3; p[x + 1] = y; return y; }
__device__ __forceinline__ int twice(int x, int *p) {
    return triple(x, p)
         + triple(x + 5, p);
}
namespace ns {
template <int N> struct Shift {
    __device__ __forceinline__ int apply(int x, int *p) const { return twice(x + N, p); }
};
}
__device__ __noinline__ int outlined(int a, float4 v) { return a + int(v.x) * 3; }
__device__ int plusOne(int a) { return a + 1; }
__device__ int times2(int a) { return a * 2; }
typedef int (*Step)(int);
__device__ Step table[2] = {plusOne, times2};
__device__ int numbers[3] = {1, -2, 3};
__device__ float third = 1.5f;
__device__ int *second = numbers + 1;
__constant__ char message[] = "hello";
__device__ const char *messages[2] = {"ab", "cd"};
extern __shared__ __align__(16) unsigned char tail[];

extern "C" __global__ void __launch_bounds__(256, 2) k(int *p, float4 v, int which) {
    __shared__ int tile[32];
    tile[threadIdx.x & 31] = p[0];
    __syncthreads();
    ns::Shift<3> shift;
    p[9] = shift.apply(p[2], p);
    p[10] = outlined(which, v);
    p[11] = table[which](p[3]);
    printf("x %d %s\n", p[1], messages[which]);
    int x = p[4];
    switch (which) {
    case 0: x = x * 3; break;
    case 1: x = x / 7; break;
    case 2: x ^= p[7]; break;
    case 3: x = __popc(x); break;
    case 4: x = second[1]; break;
    case 5: p[99] = 2; break;
    }
    p[13] = x + tile[which] + tail[x] + message[x & 3] + third;
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %0, 0; @q membar.gl; }" ::"r"(x));
    p[14] = __shfl_xor_sync(~0u, x, 3);
}
