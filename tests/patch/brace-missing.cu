// exercise: day62-racecheck
__global__ void scanTileFixed(const float* in, float* out, size_t n) {
    if (n > 0) {
        out[0] = in[0];

__global__ void reverseTilesFixed(const float* in, float* out, size_t n, size_t numTiles) {
    out[0] = in[0]
}
