// The tree of a reduction over shared memory.
// launch: 3 x 256
// arg: a u32[768] = i * i % 1009
// arg: out u32[3]
// expect: out = sum(j, i * 256, i * 256 + 256, a[j])
extern "C" __global__ void k(const unsigned *a, unsigned *out) {
    __shared__ unsigned s[256];
    unsigned t = threadIdx.x;
    s[t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (unsigned d = 128; d; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
