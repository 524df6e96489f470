// A grid-wide barrier from an atomic counter, with fences on both sides.
// check: --kernel exchange --grid 4 --block 32 --arg buf:u32:128:zero --arg buf:u32:1:zero --arg buf:u32:128:zero
// expect: defined
__device__ void gridBarrier(unsigned* arrived) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}
__global__ void exchange(unsigned* cells, unsigned* arrived, unsigned* out) {
    const unsigned i = blockIdx.x * 32u + threadIdx.x;
    cells[i] = i;
    gridBarrier(arrived);
    out[i] = cells[127u - i];
}
