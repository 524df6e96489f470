// Calls through a table, a different function for each lane.
// launch: 1 x 32
// arg: out s32[32]
// expect: out = i % 3 == 0 ? i + 10 : i % 3 == 1 ? i * i : -i
typedef int (*Step)(int);
__device__ int plus(int x) { return x + 10; }
__device__ int square(int x) { return x * x; }
__device__ int negate(int x) { return -x; }
__device__ Step steps[3] = {plus, square, negate};
extern "C" __global__ void k(int *out) {
    int t = threadIdx.x;
    out[t] = steps[t % 3](t);
}
