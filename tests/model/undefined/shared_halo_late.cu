// The halo cells are loaded after the barrier.
// check: --kernel stencil --grid 2 --block 64 --arg buf:f32:130:iota --arg buf:f32:128
// expect: undefined missing-barrier
__global__ void stencil(const float* in, float* out) {
    __shared__ float tile[66];
    const unsigned t = threadIdx.x;
    const unsigned base = blockIdx.x * 64u;
    tile[t + 1u] = in[base + t + 1u];
    __syncthreads();
    if (t == 32) {
        tile[0] = in[base];  //! race
    }
    if (t == 31) {
        tile[65] = in[base + 65u];
    }
    out[base + t] = tile[t] + tile[t + 1u] + tile[t + 2u];
}
