// The last warp unrolled, with __syncwarp between read and write.
// check: --kernel reduce --grid 1 --block 64 --arg buf:u32:64:ones --arg buf:u32:1
// expect: defined
__global__ void reduce(const unsigned* in, unsigned* out) {
    __shared__ unsigned tile[64];
    const unsigned t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    if (t < 32) {
        unsigned v = tile[t];
        v += tile[t + 32];
        __syncwarp();
        tile[t] = v;
        __syncwarp();
        for (unsigned half = 16; half > 0; half /= 2) {
            v += tile[(t + half) % 32u];
            __syncwarp();
            tile[t] = v;
            __syncwarp();
        }
    }
    if (t == 0) {
        out[0] = tile[0];
    }
}
