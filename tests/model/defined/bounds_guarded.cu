// More threads than elements, with a guard.
// check: --kernel fill --grid 2 --block 64 --arg buf:u32:100 --arg i32:100
// expect: defined
__global__ void fill(unsigned* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = i;
    }
}
