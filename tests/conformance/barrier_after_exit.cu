// Threads that have left do not count at a barrier.
// launch: 1 x 64
// arg: out u32[64]
// expect: out = i < 32 ? 31 - i + 1 : 0
extern "C" __global__ void k(unsigned *out) {
    __shared__ unsigned s[32];
    if (threadIdx.x >= 32) return;
    s[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
