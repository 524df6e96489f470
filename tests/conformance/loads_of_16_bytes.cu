// 128-bit accesses to shared memory.
// launch: 1 x 64
// arg: a u32[256] = i * 0x9e3779b9
// arg: out u32[256]
// expect: out = a[(63 - i / 4) * 4 + i % 4]
extern "C" __global__ void k(const uint4 *a, uint4 *out) {
    __shared__ uint4 tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
