// A tile loop whose barriers sit inside the guard of the partial tile.
// check: --kernel tiles --grid 1 --block 32 --arg buf:u32:80:iota --arg buf:u32:80 --arg i32:80
// expect: undefined barrier-skipped|divergent-barrier *
__global__ void tiles(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned tile[32];
    for (int base = 0; base < n; base += 32) {
        const int i = base + threadIdx.x;
        if (i < n) {
            tile[threadIdx.x] = in[i];
            __syncthreads();  //! race
            out[i] = tile[31u - threadIdx.x];
            __syncthreads();  //! race
        }
    }
}
