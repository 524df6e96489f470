// The grid barrier without the first __syncthreads: only thread 0's cell is published.
// check: --kernel exchange --grid 4 --block 32 --arg buf:u32:128:zero --arg buf:u32:1:zero --arg buf:u32:128:zero
// expect: undefined missing-barrier|missing-fence
__global__ void exchange(unsigned* cells, unsigned* arrived, unsigned* out) {
    const unsigned i = blockIdx.x * 32u + threadIdx.x;
    cells[i] = i;  //! race
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = cells[127u - i];
}
