// One warp, ordered by __syncwarp.
// check: --kernel reverse --grid 1 --block 32 --arg buf:f32:32 --arg buf:f32:32:iota
// expect: defined
__global__ void reverse(float* out, const float* in) {
    __shared__ float tile[32];
    const unsigned t = threadIdx.x;
    tile[t] = in[t];
    __syncwarp();
    out[t] = tile[31u - t];
}
