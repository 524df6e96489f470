// Two functions that call each other.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = i % 2 == 0 ? 100 + i : 200 + i
__device__ __noinline__ unsigned odd(unsigned n);
__device__ __noinline__ unsigned even(unsigned n) { return n == 0 ? 100 : odd(n - 1) + 1; }
__device__ __noinline__ unsigned odd(unsigned n) { return n == 0 ? 200 : even(n - 1) + 1; }
extern "C" __global__ void k(unsigned *out) { out[threadIdx.x] = even(threadIdx.x); }
