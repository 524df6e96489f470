// The halo cell lies past the shared tile.
// check: --kernel halo --grid 1 --block 64 --arg buf:f32:64:iota --arg buf:f32:64
// expect: undefined out-of-bounds *
__global__ void halo(const float* in, float* out) {
    __shared__ float tile[64];
    const unsigned t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[t] + tile[t + 1u];  //! race
}
