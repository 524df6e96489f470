// Atomics on shared memory: a histogram, then one total a block.
// launch: 4 x 64
// arg: a u32[256] = i * i + 3 * i
// arg: bins u32[8]
// expect: bins = sum(j, 0, 256, a[j] % 8 == i)
extern "C" __global__ void k(const unsigned *a, unsigned *bins) {
    __shared__ unsigned own[8];
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(own + a[blockIdx.x * 64 + threadIdx.x] % 8, 1u);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(bins + threadIdx.x, own[threadIdx.x]);
}
