// Each lane recurses to its own depth, with a frame of its own.
// launch: 1 x 20
// arg: out u32[20]
// expect: out = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181]
__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void k(unsigned *out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
