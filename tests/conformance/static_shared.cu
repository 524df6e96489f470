// Static shared memory, reversed over a barrier.
// launch: 4 x 64
// arg: a u32[256] = i * 31
// arg: out u32[256]
// expect: out = a[i / 64 * 64 + 63 - i % 64]
extern "C" __global__ void k(const unsigned *a, unsigned *out) {
    __shared__ unsigned tile[64];
    unsigned base = blockIdx.x * 64;
    tile[threadIdx.x] = a[base + threadIdx.x];
    __syncthreads();
    out[base + threadIdx.x] = tile[63 - threadIdx.x];
}
