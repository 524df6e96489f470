// exercise: day62-racecheck
__global__ void scanTileFixed(float* in, float* __restrict__ out, unsigned int n, int extra) {
    out[0] = in[0];
}
static __global__ void __launch_bounds__(32, 1) __cluster_dims__(2, 1, 1)
reverseTilesFixed(float const * __restrict__ source, float out[], std::size_t count, unsigned long tiles) {
    out[0] = source[0];
}
