// The hand-over through global memory with a barrier between.
// check: --kernel rotate --grid 1 --block 128 --arg buf:u32:128:iota --arg buf:u32:128
// expect: defined
__global__ void rotate(unsigned* scratch, unsigned* out) {
    const unsigned t = threadIdx.x;
    scratch[t] = t * 3u;
    __syncthreads();
    out[t] = scratch[(t + 64u) % 128u];
}
