// The block reverse with its barrier.
// check: --kernel reverse --grid 2 --block 256 --arg buf:f32:512 --arg buf:f32:512:iota
// expect: defined
__global__ void reverse(float* out, const float* in) {
    __shared__ float tile[256];
    const unsigned t = threadIdx.x;
    const unsigned base = blockIdx.x * 256u;
    tile[t] = in[base + t];
    __syncthreads();
    out[base + t] = tile[255u - t];
}
