// Decoupled look-back: each block waits for its left neighbour's published prefix.
// check: --kernel scan --grid 6 --block 32 --arg buf:u32:192:ones --arg buf:u32:6:zero --arg buf:u32:6:zero
// expect: defined
__global__ void scan(unsigned* data, unsigned* prefix, unsigned* ready) {
    __shared__ unsigned before;
    const unsigned b = blockIdx.x;
    if (threadIdx.x == 0) {
        unsigned mine = 0;
        for (unsigned k = 0; k < 32; ++k) {
            mine += data[b * 32u + k];
        }
        unsigned left = 0;
        if (b > 0) {
            while (atomicAdd(&ready[b - 1u], 0u) == 0u) {
            }
            __threadfence();
            left = prefix[b - 1u];
        }
        prefix[b] = left + mine;
        __threadfence();
        atomicExch(&ready[b], 1u);
        before = left;
    }
    __syncthreads();
    data[b * 32u + threadIdx.x] = before + threadIdx.x + 1u;
}
