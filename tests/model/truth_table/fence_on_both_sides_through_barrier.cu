// st;F;atom | atom;F;bar;ld by the whole block
// lenient: defined
// strict: defined
// stale: never
__global__ void sum(unsigned* partials, unsigned* counter, unsigned* total) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = blockIdx.x + 1u;
        __threadfence();
        last = atomicAdd(counter, 1u) == gridDim.x - 1u;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        atomicAdd(total, partials[threadIdx.x]);
    }
}
