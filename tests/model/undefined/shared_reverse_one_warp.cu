// The same inside one warp: no lockstep is promised.
// check: --kernel reverse --grid 1 --block 32 --arg buf:f32:32 --arg buf:f32:32:iota
// expect: undefined missing-barrier
__global__ void reverse(float* out, const float* in) {
    __shared__ float tile[32];
    const unsigned t = threadIdx.x;
    tile[t] = in[t];
    out[t] = tile[31u - t];  //! race
}
