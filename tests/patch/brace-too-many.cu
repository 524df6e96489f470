// exercise: day62-racecheck
__global__ void scanTileFixed(const float* in, float* out, size_t n) {
    out[0] = in[0];
    }
    out[1] = in[1];
}
