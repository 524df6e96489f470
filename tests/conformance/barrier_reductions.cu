// __syncthreads_count, _and and _or.
// launch: 2 x 96
// arg: out u32[192]
// expect: out = 32 + 1000 * (i / 96 == 0) + 10000
extern "C" __global__ void k(unsigned *out) {
    int t = threadIdx.x;
    int count = __syncthreads_count(t % 3 == 0), all = __syncthreads_and(t < 95 + (blockIdx.x == 0)), any = __syncthreads_or(t == 50);
    out[blockIdx.x * 96 + t] = count + (all ? 1000 : 0) + (any ? 10000 : 0);
}
