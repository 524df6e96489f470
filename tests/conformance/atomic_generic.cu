// An atomic through a pointer that is global for some lanes and shared for others.
// launch: 1 x 64
// arg: g u32[1]
// arg: s u32[1]
// expect: g = 32
// expect: s = 64
__device__ __noinline__ void bump(unsigned *p, unsigned n) { atomicAdd(p, n); }
extern "C" __global__ void k(unsigned *g, unsigned *s) {
    __shared__ unsigned own;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    bump(threadIdx.x % 2 ? &own : g, threadIdx.x % 2 ? 2 : 1);
    __syncthreads();
    if (threadIdx.x == 0) *s = own;
}
