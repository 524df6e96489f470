// Many barriers in a row: a Hillis-Steele scan over a block.
// launch: 2 x 128
// arg: a u32[256] = i * 7 % 13
// arg: out u32[256]
// expect: out = sum(j, i / 128 * 128, i + 1, a[j])
extern "C" __global__ void k(const unsigned *a, unsigned *out) {
    __shared__ unsigned s[2][128];
    int t = threadIdx.x, from = 0;
    s[0][t] = a[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = s[from][t];
}
