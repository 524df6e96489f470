// The tile is loaded again before everybody has finished reading it.
// check: --kernel sumTiles --grid 1 --block 64 --arg buf:f32:256:iota --arg buf:f32:64
// expect: undefined missing-barrier
__global__ void sumTiles(const float* in, float* out) {
    __shared__ float tile[64];
    const unsigned t = threadIdx.x;
    float sum = 0.0f;
    for (unsigned k = 0; k < 4; ++k) {
        tile[t] = in[k * 64u + t];  //! race
        __syncthreads();
        for (unsigned j = 0; j < 64; ++j) {
            sum += tile[j];
        }
    }
    out[t] = sum;
}
