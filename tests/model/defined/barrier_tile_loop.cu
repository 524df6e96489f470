// The tile loop with the barriers outside the guard.
// check: --kernel tiles --grid 1 --block 32 --arg buf:u32:80:iota --arg buf:u32:80 --arg i32:80
// expect: defined
__global__ void tiles(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned tile[32];
    for (int base = 0; base < n; base += 32) {
        const int i = base + threadIdx.x;
        tile[threadIdx.x] = i < n ? in[i] : 0u;
        __syncthreads();
        if (i < n) {
            out[i] = tile[31u - threadIdx.x];
        }
        __syncthreads();
    }
}
