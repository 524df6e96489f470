// The bins are never cleared.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    __shared__ unsigned bins[4];
    atomicAdd(&bins[data[threadIdx.x] % 4u], 1u);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x % 4u];
}
