// __syncthreads_count orders as __syncthreads does.
// check: --kernel votes --grid 1 --block 128 --arg buf:u32:128
// expect: defined
__global__ void votes(unsigned* out) {
    __shared__ unsigned tile[128];
    const unsigned t = threadIdx.x;
    tile[t] = t;
    const int even = __syncthreads_count(t % 2u == 0u);
    out[t] = tile[127u - t] + static_cast<unsigned>(even);
}
