// Dynamic shared memory cut into two arrays of different types.
// launch: 2 x 32 shared 384
// arg: a f64[64] = i * 0.5
// arg: out f64[64]
// expect: out = a[i ^ 31] + (i % 32 ^ 1)
extern __shared__ double pool[];
extern "C" __global__ void k(const double *a, double *out) {
    int t = threadIdx.x, base = blockIdx.x * 32;
    int *ints = (int *)(pool + 32);
    pool[t] = a[base + t];
    ints[t] = t;
    __syncthreads();
    out[base + t] = pool[t ^ 31] + ints[t ^ 1];
}
