// A store past a block's shared memory.
// launch: 1 x 32
// gpu: no
// arg: n u32 = 16
// arg: out u32[32]
// fault: out-of-bounds
extern "C" __global__ void k(unsigned n, unsigned *out) {
    __shared__ unsigned s[32];
    s[threadIdx.x + n] = n;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
