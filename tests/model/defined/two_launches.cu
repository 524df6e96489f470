// A launch boundary orders everything before it.
// plan: two_launches.toml
// expect: defined
__global__ void write(unsigned* data) {
    data[blockIdx.x * 32u + threadIdx.x] = threadIdx.x;
}
__global__ void reverse(unsigned* data, unsigned* out) {
    const unsigned n = gridDim.x * 32u;
    const unsigned i = blockIdx.x * 32u + threadIdx.x;
    out[i] = data[n - 1u - i];
}
