// One load through a pointer that is to global, shared, local or constant memory, by lane.
// launch: 1 x 32
// arg: a s32[32] = i + 1000
// arg: out s32[32]
// expect: out = i % 4 == 0 ? i + 1000 : i % 4 == 1 ? i + 2000 : i % 4 == 2 ? i * 3 : 77
__constant__ int fixed = 77;
__device__ __noinline__ int read(const int *p) { return *p; }
extern "C" __global__ void k(const int *a, int *out) {
    __shared__ int tile[32];
    int t = threadIdx.x, own[2] = {t, t * 3};
    tile[t] = t + 2000;
    __syncthreads();
    const int *p = t % 4 == 0 ? a + t : t % 4 == 1 ? tile + t : t % 4 == 2 ? own + 1 : &fixed;
    out[t] = read(p);
}
